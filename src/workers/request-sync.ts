import { addJobs } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'

/**
 * Queues the synchronisation of installations and repositories: at start-up, so that nothing missed stays missed, and when
 * a delivery says that something changed. In a lane of its own: of two at the same time the slower one would write the
 * older list over the newer.
 */
export const requestSync = (pool: Pool, cause: string | null = null): Promise<void> =>
  addJobs(pool, [{ kind: 'sync_installations', key: 'all', lane: 'installations', payload: {}, cause }])
