import { readAllTags } from '#commands/across/read-tags.ts'
import { reconcilePullRequests } from '#commands/patrol/reconcile-pull-requests.ts'
import { reconcileRuns } from '#commands/patrol/reconcile-runs.ts'
import { redeliverFailed } from '#commands/patrol/redeliver-failed.ts'
import { foldRunCounts } from '#db/machines/run-counts.ts'
import { foldStackCounts } from '#db/machines/stack-standings.ts'
import type { JobHandler } from '../handler.ts'

/** Finds out what no webhook reported. */
export const reconcile: JobHandler<'reconcile'> = async (deps, { what }, { cause }) => {
  if (what === 'runs') {
    // not a comparison, but as frequent: every view of the overview reads what waits to be folded
    await foldRunCounts(deps.pool)
    await foldStackCounts(deps.pool)
    await reconcileRuns(deps, cause)
  }
  if (what === 'deliveries') await redeliverFailed(deps)
  if (what === 'pull_requests') await reconcilePullRequests(deps, cause)
  if (what === 'tags') await readAllTags(deps, cause)
}
