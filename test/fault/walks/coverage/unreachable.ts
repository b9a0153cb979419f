const onMerge = 'apply.mode on_merge is not walked: test/commands/apply/apply-on-merge.test.ts'
const sameRun = 'a run asks for each of its locks once'
const before = 'its command refuses before the run is asked'
const oneDispatch =
  'a wave of one dispatch loses all of its stacks at once: only one of more than 256 stacks is lost in parts'

/**
 * What no walk can reach, and why; test/model/paths.test.ts goes through each of them with the machine alone. A walk that reaches one all
 * the same is told, and the line goes.
 */
export const unreachable: Readonly<Record<string, string>> = {
  'run (any): graph.resolved #1': before,
  'run (any): resolution.failed #1': before,
  'run (any): replan.requested #1': 'only a run that was just made is planned again',
  'run (any): apply.requested #1': 'only a run that was just made is applied',
  'run pending: replan.requested #1': 'a plan without a stack is not planned again',
  'run pending: apply.requested #1': 'an apply without a stack is not begun',
  'run applying.draining: stack.settled #1': oneDispatch,
  'run applying.draining: stack.settled #4': oneDispatch,
  'run applying.draining: stack.settled #5': oneDispatch,
  'run applying.draining: stack.settled #6': oneDispatch,
  'run superseded: graph.resolved #1': before,
  'run superseded: resolution.failed #1': before,
  'run superseded: replan.requested #1': 'only a run that was just made is planned again',
  'run superseded: apply.requested #1': 'only a run that was just made is applied',
  'stack pending: stack.started #1': 'the stacks of a plan are stored begun',
  'stack pending: stack.started #3': 'a run starts its stacks in its own mode',
  'stack pending: result.reported #1': 'the stacks of a plan are all begun with it',
  'stack pending: run.superseded #1': 'the stacks of a plan are all begun with it',
  'lock free: lock.requested #2': onMerge,
  'lock held: lock.requested #1': sameRun,
  'lock held.claimed: lock.requested #1': sameRun,
  'lock held.claimed: lock.requested #2': onMerge,
  'lock held.claimed: pull_request.closed #3': 'a stack whose end nobody saw counts as changed',
  'lock held.changed: lock.requested #1': sameRun,
  'lock held.changed: lock.requested #2': onMerge,
  'lock held.orphaned: lock.requested #1': sameRun,
  'lock held.orphaned: lock.requested #2': onMerge,
  'lock held.orphaned: lock.requested #3': 'its pull request is closed, and the gate refuses',
  'dispatch requested: workflow.bound #1': 'the code host has not named its workflow run yet',
  'dispatch requested: workflow.bound #2': 'while it is being sent: test/commands/dispatches',
  'dispatch refused: workflow.bound #1': 'the code host has not named its workflow run',
  'dispatch awaiting: dispatch.sent #1': 'two workers that send it at the same time: test/commands/dispatches',
  'dispatch awaiting: workflow.completed #1': 'the end of a workflow run binds it first',
  'dispatch lost: dispatch.sent #1': 'an answer after half an hour: test/machines/dispatch.test.ts',
}
