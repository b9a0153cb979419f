import { addWarnings, timeOfNextRun } from '#db/machines/runs.ts'
import type { Tx } from '#db/sql.ts'
import { forOwnerOfKnown } from '#db/whose.ts'
import type { Warning } from '#domain/texts/warnings.ts'
import type { Who } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'
import { beginRun } from './begin-run.ts'
import { type PlacedStack, planStacks } from './place-stacks.ts'

/** Stacks to plan on a commit whose graph is known: mostly again, on the commit that they were planned on before. */
export type DispatchedPlan = {
  repoId: number
  prNumber: number | null
  sha: string
  baseSha: string | null
  /** A check for drift is a plan of the default branch that is never applied. */
  mode?: 'plan' | 'drift'
  trigger: 'comment' | 'rerequest' | 'push' | 'schedule'
  requestedBy: string
  graphId: string
  /** The run whose stacks these are, if somebody asked for it to be run again. */
  rerunOf?: string
  /** As the previous run had them, waves too. */
  stacks: readonly PlacedStack[]
  /** What people should know of the policy that it is planned under. */
  warnings?: readonly Warning[]
  /** When the code host was asked for the commit, if that matters; otherwise now. */
  readAt?: Date
  who: Who
}

/**
 * Begins a plan run that the service dispatches itself, in the caller's transaction, which holds the row of the pull request.
 * Returns its id.
 */
export const beginDispatchedPlan = async (
  deps: Pick<Deps, 'runtime' | 'clock'>,
  tx: Tx,
  replan: DispatchedPlan,
): Promise<string> => {
  const { runtime, clock } = deps
  const { repoId, prNumber, mode = 'plan', trigger, who } = replan
  const own = await forOwnerOfKnown(tx, { repositories: [repoId] })
  const row = {
    repo_id: repoId,
    pr_number: prNumber,
    sha: replan.sha,
    base_sha: replan.baseSha,
    mode,
    trigger,
    requested_by: replan.requestedBy,
    workflow_run_id: null,
    workflow_run_attempt: null,
    graph_id: replan.graphId,
    rerun_of: replan.rerunOf,
    created_at: await timeOfNextRun(own, repoId, prNumber, replan.readAt ?? clock.now()),
  }
  const runId = await beginRun(runtime, own, row, who)
  const at = clock.now().toISOString()
  await addWarnings(
    own,
    (replan.warnings ?? []).map((warning) => ({ runId, warning: { ...warning, at } })),
  )
  const run = { id: runId, repoId, mode }
  await planStacks(runtime, own, { run, stacks: replan.stacks, keys: [], who }, 'replan.requested')
  return runId
}
