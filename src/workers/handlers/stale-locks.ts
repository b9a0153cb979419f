import { healStaleLocks } from '#commands/stale-locks.ts'
import type { NewJob } from '#db/jobs.ts'
import type { Handler } from '../handler.ts'

/** One at a time. */
export const staleLocksJob = (): NewJob => ({
  kind: 'stale_locks',
  key: 'all',
  lane: 'stale locks',
  payload: {},
  cause: null,
})

/** Looks after locks that nothing would free, and that nobody would be reminded of. */
export const staleLocksHandler: Handler = async (deps, job) => {
  await healStaleLocks(deps, job.cause)
  return undefined
}
