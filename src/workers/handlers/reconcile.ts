import { z } from 'zod'
import { readAllTags } from '#commands/read-tags.ts'
import { reconcilePullRequests } from '#commands/reconcile-pull-requests.ts'
import { reconcileRuns } from '#commands/reconcile-runs.ts'
import { redeliverFailed } from '#commands/redeliver-failed.ts'
import type { NewJob } from '#db/jobs.ts'
import { foldRunCounts } from '#db/run-counts.ts'
import type { Handler } from '../handler.ts'

/** What is compared with the code host: each by itself, so that one that fails does not keep the others from it. */
const subjects = ['runs', 'deliveries', 'pull_requests', 'tags'] as const

const Payload = z.object({ what: z.enum(subjects) })

/** One at a time: a comparison that takes longer than until the next one is not joined by it. */
export const reconcileJob = (what: (typeof subjects)[number]): NewJob => ({
  kind: 'reconcile',
  key: what,
  lane: `reconcile ${what}`,
  payload: { what },
  cause: null,
})

/** Finds out what no webhook told. */
export const reconcile: Handler = async (deps, job) => {
  const { what } = Payload.parse(job.payload)
  if (what === 'runs') {
    // no comparison, but as often: what waits to be folded is read by every look at the overview
    await foldRunCounts(deps.pool)
    await reconcileRuns(deps, job.cause)
  }
  if (what === 'deliveries') await redeliverFailed(deps, { kind: job.kind, key: what })
  if (what === 'pull_requests') await reconcilePullRequests(deps, job.cause)
  if (what === 'tags') await readAllTags(deps, job.cause)
  return undefined
}
