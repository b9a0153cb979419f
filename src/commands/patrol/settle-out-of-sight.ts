import { followWorkflowRun } from '#commands/dispatches/follow-workflow-run.ts'
import { settlePlan } from '#commands/dispatches/settle-workflow-run.ts'
import { outOfSightPlans } from '#db/runs/open-plans.ts'
import { outOfSightDispatches } from '#db/views/dispatch-view.ts'
import { limits } from '#domain/limits.ts'
import type { PatrolDeps } from './patrol-repositories.ts'

/**
 * Settles what waits for workflow runs of repositories that the app was taken off, or is suspended on: no webhook reports how
 * they end, and their jobs are no longer let in. Stacks of an apply are then unknown and their locks held, as after any lost
 * runner.
 */
export const settleOutOfSight = async (deps: PatrolDeps, cause: string | null): Promise<void> => {
  const since = new Date(+deps.clock.now() - limits.outOfSightHours * 3_600_000)
  for (const dispatch of await outOfSightDispatches(deps.pool, since)) {
    deps.signal.throwIfAborted()
    const { workflow_run_id: id, workflow_run_attempt: attempt } = dispatch
    const ended = { id: id ?? 0, attempt: attempt ?? 1, status: 'completed', conclusion: 'out of sight' } as const
    await followWorkflowRun(deps, dispatch, ended, cause)
  }
  for (const { id, workflow_run_id } of await outOfSightPlans(deps.pool, since)) {
    deps.signal.throwIfAborted()
    const ended = { id: workflow_run_id, attempt: Number.MAX_SAFE_INTEGER, status: 'completed' } as const
    await settlePlan(deps, id, ended, cause)
  }
}
