import { addJobs } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'

/** Queues the synchronisation of installations and repositories: at start-up, so that nothing missed stays missed. */
export const requestSync = (pool: Pool): Promise<void> =>
  addJobs(pool, [{ kind: 'sync_installations', key: 'all', lane: null, payload: {}, cause: null }])
