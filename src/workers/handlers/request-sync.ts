import { addJobs, hastenJob, isRunning } from '#db/queue/jobs.ts'
import { findOpenInstallation } from '#db/repositories/installations.ts'
import type { Pool } from '#db/sql.ts'
import { makeJob } from '#jobs/job.ts'

/**
 * Queues the synchronisation of installations and repositories, when a delivery says that something changed. What concerns one
 * installation lists that one alone: of 300 accounts each new repository cost requests of all. One that is not known as open may be
 * new, or back: then all are listed.
 */
export const requestSync = async (pool: Pool, cause: string | null = null, installationId?: number): Promise<void> => {
  const one = installationId === undefined ? null : await findOpenInstallation(pool, installationId)
  await addJobs(pool, [makeJob('sync_installations', one ? { installation_id: one.id } : {}, { cause })])
}

/**
 * The same at start-up, to find everything missed meanwhile. Not if an instance that started earlier is already at it: of
 * several that start together, one does it, and it was running for what this one missed. A failed job is hurried on: this
 * start may bring the right app key or address.
 */
export const requestSyncAtStart = async (pool: Pool): Promise<void> => {
  const job = makeJob('sync_installations', {}, { cause: null })
  if (await isRunning(pool, job)) return
  await addJobs(pool, [job])
  await hastenJob(pool, job)
}
