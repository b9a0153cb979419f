import { prune } from '#commands/patrol/prune.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import type { JobHandler } from '../handler.ts'

const mostMs = 60_000
const restMs = 10_000

/** Removes expired data; what one job does not finish continues in another, so no job runs for hours. */
export const pruneWithin =
  (mostMs: number): JobHandler<'prune'> =>
  async (deps, _, { cause }) => {
    const isMore = await prune(deps, mostMs)
    const runAt = new Date(+deps.clock.now() + restMs)
    if (isMore) await addJobs(deps.pool, [makeJob('prune', {}, { cause, runAt })])
  }

export const pruneHandler = pruneWithin(mostMs)
