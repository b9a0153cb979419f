import type { WorkflowRun } from '#codehost/port.ts'
import { transact } from '#db/transact.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { readRunName, runWorkflowPath } from '#domain/run-name.ts'
import type { Message, Who } from '#runtime/message.ts'
import type { Deps } from './deps.ts'

type Wanted = Pick<DispatchView, 'run_id' | 'wave' | 'part' | 'mode' | 'sha' | 'default_branch'>

/**
 * Whether a workflow run is by its name the one that a dispatch was to start. Whoever may push can start one by hand that is
 * called the same, and whose matrix and saved plans nobody approved: only an app's counts, of the file on the default branch.
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

/** The workflow run of a dispatch among those listed: where an answer got lost and it was sent twice, the first one. */
export const workflowRunOf = (
  dispatch: Wanted & Pick<DispatchView, 'workflow_run_id'>,
  listed: readonly WorkflowRun[],
): WorkflowRun | undefined => {
  if (dispatch.workflow_run_id !== null) return listed.find(({ id }) => id === dispatch.workflow_run_id)
  return listed.filter((workflowRun) => isOfDispatch(workflowRun, dispatch)).sort((a, b) => a.id - b.id)[0]
}

type Bound = Pick<DispatchView, 'id' | 'run_id' | 'state' | 'workflow_run_id' | 'workflow_run_attempt'>

/**
 * What a dispatch has to hear before it hears of a later attempt: only what has ended is run again, so the attempt that it is
 * bound to has, whether that was told or not. Else it would hang on the order of deliveries whether a re-run is let in.
 */
export const endOfEarlierAttempt = (dispatch: Bound, id: number, attempt: number, who: Who): Message[] => {
  const { state, workflow_run_id: bound, workflow_run_attempt: before } = dispatch
  if (state !== 'bound' || bound !== id || before === null || before >= attempt) return []
  const event = { type: 'workflow.completed', conclusion: 'unknown', attempt: before }
  return [{ to: { kind: 'dispatch', id: dispatch.id, runId: dispatch.run_id }, event, ...who }]
}

/**
 * Tells a dispatch what the code host says of its workflow run: that it is there, be it waiting for somebody's approval, and
 * that it has ended. Its machine says no to what comes too late.
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
  const events = [
    ...(dispatch.state === 'requested' ? [{ type: 'dispatch.sent', workflow_run_id: id }] : []),
    { type: 'workflow.bound', workflow_run_id: id, attempt },
    ...(status === 'completed' ? [{ type: 'workflow.completed', conclusion: conclusion ?? 'unknown', attempt }] : []),
  ]
  const who = { actor: 'codehost', cause }
  const to = { kind: 'dispatch' as const, id: dispatch.id, runId: dispatch.run_id }
  const messages = events.map((event): Message => ({ to, event, ...who }))
  await transact(pool, (tx) => runtime.sendAll(tx, [...endOfEarlierAttempt(dispatch, id, attempt, who), ...messages]))
}
