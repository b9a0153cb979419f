import type { WorkflowRun } from '#codehost/port.ts'
import { transact } from '#db/transact.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { readRunName, runWorkflowPath } from '#domain/run-name.ts'
import type { EventOf, MessageTo, Who } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'

type Wanted = Pick<DispatchView, 'run_id' | 'wave' | 'part' | 'mode' | 'sha' | 'default_branch'>

/**
 * Whether a workflow run has the name of the one that a dispatch was to start. Anyone with push permission can start one by
 * hand with the same name, and with a matrix and saved plans that no one approved: only one started by an app counts, of the
 * file on the default branch.
 */
export const isOfDispatch = (
  { event, title, path, headBranch, byApp }: Omit<WorkflowRun, 'id'>,
  dispatch: Wanted,
): boolean => {
  if (event !== 'workflow_dispatch' || !byApp) return false
  if (path !== runWorkflowPath || headBranch !== dispatch.default_branch) return false
  const name = readRunName(title)
  const isItsWork = name?.mode === dispatch.mode && name.sha === dispatch.sha
  return isItsWork && name.runId === dispatch.run_id && name.wave === dispatch.wave && name.part === dispatch.part
}

/** The workflow run of a dispatch among those listed: the first one if an answer got lost and the dispatch was sent twice. */
export const workflowRunOf = (
  dispatch: Wanted & Pick<DispatchView, 'workflow_run_id'>,
  listed: readonly WorkflowRun[],
): WorkflowRun | undefined => {
  if (dispatch.workflow_run_id !== null) return listed.find(({ id }) => id === dispatch.workflow_run_id)
  return listed.filter((workflowRun) => isOfDispatch(workflowRun, dispatch)).sort((a, b) => a.id - b.id)[0]
}

type Bound = Pick<DispatchView, 'id' | 'run_id' | 'state' | 'workflow_run_id' | 'workflow_run_attempt'>

/**
 * The events that a dispatch needs before it hears of a later attempt. Only a completed attempt is run again, so the attempt
 * that the dispatch is bound to has ended, reported or not. Otherwise the order of deliveries would decide whether a re-run
 * is let in.
 */
export const endOfEarlierAttempt = (
  dispatch: Bound,
  id: number,
  attempt: number,
  who: Who,
): MessageTo<'dispatch'>[] => {
  const { state, workflow_run_id: bound, workflow_run_attempt: before } = dispatch
  if (state !== 'bound' || bound !== id || before === null || before >= attempt) return []
  const event = { type: 'workflow.completed', conclusion: 'unknown', attempt: before, workflow_run_id: id } as const
  return [{ to: { kind: 'dispatch', id: dispatch.id, runId: dispatch.run_id }, event, ...who }]
}

/**
 * Sends a dispatch what the code host says of its workflow run: that it exists, even if it waits for an approval, and that it
 * has ended. The dispatch's machine refuses events that come too late.
 */
export const followWorkflowRun = async (
  { pool, runtime }: Pick<Deps, 'pool' | 'runtime'>,
  dispatch: Bound,
  workflowRun: Pick<WorkflowRun, 'id' | 'attempt' | 'status' | 'conclusion'>,
  cause?: string | null,
): Promise<void> => {
  const { id, attempt, status, conclusion } = workflowRun
  const isBound = dispatch.workflow_run_id === id && dispatch.workflow_run_attempt === attempt
  if (isBound && dispatch.state === 'bound' && status !== 'completed') return
  const events: EventOf<'dispatch'>[] = [{ type: 'workflow.bound', workflow_run_id: id, attempt }]
  if (dispatch.state === 'requested') events.unshift({ type: 'dispatch.sent', workflow_run_id: id })
  // a dispatch that went out twice has one workflow run: its machine takes the end of that one alone
  if (status === 'completed')
    events.push({ type: 'workflow.completed', conclusion: conclusion ?? 'unknown', attempt, workflow_run_id: id })
  const who = { actor: 'codehost', cause }
  const to = { kind: 'dispatch' as const, id: dispatch.id, runId: dispatch.run_id }
  const messages = events.map((event) => ({ to, event, ...who }))
  // at once: all that the end of a workflow run reaches is locked before anything is stored
  await transact(pool, (tx) => runtime.sendAll(tx, [...endOfEarlierAttempt(dispatch, id, attempt, who), ...messages]))
}
