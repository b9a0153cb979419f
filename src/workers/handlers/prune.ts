import { prune } from '#commands/prune.ts'
import { addJobs, type NewJob } from '#db/jobs.ts'
import type { Handler } from '../handler.ts'

/** One at a time, and not before `runAt`. */
export const pruneJob = (runAt?: Date): NewJob => ({
  kind: 'prune',
  key: 'all',
  lane: 'prune',
  payload: {},
  cause: null,
  ...(runAt ? { runAt } : {}),
})

const mostMs = 60_000
const restMs = 10_000

/** Removes what is kept no longer; what one job does not get done goes on in another, so that none runs for hours. */
export const pruneWithin =
  (mostMs: number): Handler =>
  async (deps, job) => {
    const isMore = await prune(deps, mostMs)
    if (isMore) await addJobs(deps.pool, [{ ...pruneJob(new Date(+deps.clock.now() + restMs)), cause: job.cause }])
    return undefined
  }

export const pruneHandler: Handler = pruneWithin(mostMs)
