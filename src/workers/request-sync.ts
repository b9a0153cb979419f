import { addJobs, type NewJob } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'

/** In a lane of its own: of two at the same time the slower one would write the older list over the newer. */
export const syncJob = (cause: string | null): NewJob => ({
  kind: 'sync_installations',
  key: 'all',
  lane: 'installations',
  payload: {},
  cause,
})

/**
 * Queues the synchronisation of installations and repositories: at start-up, so that nothing missed stays missed, and when
 * a delivery says that something changed.
 */
export const requestSync = (pool: Pool, cause: string | null = null): Promise<void> => addJobs(pool, [syncJob(cause)])
