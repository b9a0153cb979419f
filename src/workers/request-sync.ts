import { addJobs, hastenJob, isRunning, type NewJob } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'

/** In a lane of its own: of two at the same time the slower one would write the older list over the newer. */
const syncing = { kind: 'sync_installations', lane: 'installations' }

export const syncJob = (cause: string | null) => ({ ...syncing, key: 'all', payload: {}, cause }) satisfies NewJob

/** Of one that failed where the others did not: it is tried again by itself, and no news of the others waits for it. */
export const syncOneJob = (installationId: number, cause: string | null, runAt: Date): NewJob => ({
  ...syncing,
  key: String(installationId),
  payload: { installation_id: installationId },
  cause,
  runAt,
})

/** Queues the synchronisation of installations and repositories, when a delivery says that something changed. */
export const requestSync = (pool: Pool, cause: string | null = null): Promise<void> => addJobs(pool, [syncJob(cause)])

/**
 * The same at start-up, so that nothing missed stays missed; not where an instance that started before this one is at it, so
 * that several that start together do it once. Whoever is at it was there for what this one missed. One that failed does not wait
 * any longer: the app's key or an address may be what this start brings.
 */
export const requestSyncAtStart = async (pool: Pool): Promise<void> => {
  const { kind, key } = syncJob(null)
  if (await isRunning(pool, kind, key)) return
  await requestSync(pool)
  await hastenJob(pool, kind, key)
}
