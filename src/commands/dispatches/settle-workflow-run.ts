import type { WorkflowRunFact } from '#codehost/fact.ts'
import type { WorkflowRun } from '#codehost/port.ts'
import { openStackIds } from '#db/machines/run-stacks.ts'
import { lockRuns, setFailure } from '#db/machines/runs.ts'
import { openPlansOfWorkflowRun } from '#db/runs/open-plans.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { type DispatchView, findDispatchNamed, findDispatchOfWorkflowRun } from '#db/views/dispatch-view.ts'
import { readRunName, runWorkflowPath } from '#domain/run-name.ts'
import { portionRows } from '#portions.ts'
import type { Deps } from '../deps.ts'
import { followWorkflowRun, isOfDispatch } from './follow-workflow-run.ts'

type SettleDeps = Pick<Deps, 'pool' | 'findRepository' | 'runtime' | 'codehost'>

/**
 * Draws the consequences of a workflow run that began or ended: a dispatch is bound, and stacks that no job will report any
 * more are settled. The workflow run is read again, since deliveries come late and out of order. Returns false if it is not
 * ours: most workflow runs of a repository are not, and cost no request.
 */
export const settleWorkflowRun = async (
  deps: SettleDeps,
  fact: Pick<WorkflowRunFact, 'action' | 'repoId' | 'workflowRunId' | 'event' | 'path'>,
  cause?: string | null,
): Promise<boolean> => {
  const { repoId, workflowRunId, event } = fact
  const isDispatched = event === 'workflow_dispatch' && fact.path === runWorkflowPath
  const plans =
    (event === 'pull_request' || event === 'merge_group') && fact.action === 'completed'
      ? await openPlansOfWorkflowRun(deps.pool, repoId, workflowRunId)
      : []
  if (!isDispatched && plans.length === 0) return false
  const repository = await deps.findRepository(repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const workflowRun = await deps.codehost.getWorkflowRun(repository, workflowRunId)
  if (!workflowRun) return false
  if (isDispatched) return settleDispatch(deps, repoId, workflowRun, cause)
  for (const plan of plans) await settlePlan(deps, plan.id, workflowRun, cause)
  return true
}

const settleDispatch = async (
  deps: SettleDeps,
  repoId: number,
  workflowRun: WorkflowRun,
  cause: string | null | undefined,
): Promise<boolean> => {
  const dispatch =
    (await findDispatchOfWorkflowRun(deps.pool, repoId, workflowRun.id)) ?? (await named(deps, repoId, workflowRun))
  if (!dispatch) return false
  await followWorkflowRun(deps, dispatch, workflowRun, cause)
  return true
}

const named = async (
  { pool }: SettleDeps,
  repoId: number,
  workflowRun: WorkflowRun,
): Promise<DispatchView | undefined> => {
  const name = readRunName(workflowRun.title)
  const dispatch = name && (await findDispatchNamed(pool, repoId, name))
  return dispatch && isOfDispatch(workflowRun, dispatch) ? dispatch : undefined
}

const who = (cause: string | null | undefined) => ({ actor: 'codehost', cause })

/**
 * Ends the plan run of a pull request, or of a merge group, whose workflow run ended without all of its results. Failed jobs may be run again,
 * which makes another attempt of the same workflow run: only the end of the run's own attempt, or of a later one, counts.
 *
 * Of many stacks a portion at a time: the machines of 20,000 in one transaction are more than the service has memory for.
 */
export const settlePlan = async (
  { pool, runtime }: Pick<SettleDeps, 'pool' | 'runtime'>,
  runId: string,
  workflowRun: Pick<WorkflowRun, 'id' | 'attempt' | 'status'>,
  cause?: string | null,
): Promise<void> => {
  if (workflowRun.status !== 'completed') return
  const settlePortion = (): Promise<boolean> =>
    transact(pool, async (tx) => {
      const [run] = await lockRuns(tx, [runId])
      if (run?.workflow_run_id !== workflowRun.id || (run.workflow_run_attempt ?? 0) > workflowRun.attempt) return false
      if (run.status === 'pending') await tellNoGraph(runtime, tx, runId, cause)
      return run.status === 'planning' && (await tellLost(runtime, tx, runId, cause))
    })
  while (await settlePortion());
}

const tellNoGraph = async (
  runtime: SettleDeps['runtime'],
  tx: Tx,
  runId: string,
  cause: string | null | undefined,
): Promise<void> => {
  const reason = 'the workflow run ended without a graph'
  const event = { type: 'resolution.failed', reason } as const
  const [answer] = await runtime.sendAll(tx, [{ to: { kind: 'run', id: runId }, event, ...who(cause) }])
  if (answer?.outcome === 'moved') await setFailure(tx, runId, reason)
}

/** Whether there may be more. */
const tellLost = async (
  runtime: SettleDeps['runtime'],
  tx: Tx,
  runId: string,
  cause: string | null | undefined,
): Promise<boolean> => {
  const stackIds = await openStackIds(tx, runId)
  const answers = await runtime.sendAll(
    tx,
    stackIds.map((stackId) => ({
      to: { kind: 'stack', runId, stackId },
      event: { type: 'runner.lost', reason: 'workflow_finished' },
      ...who(cause),
    })),
  )
  return stackIds.length === portionRows && answers.some(({ outcome }) => outcome === 'moved')
}
