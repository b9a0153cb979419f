import { setTimeout as wait } from 'node:timers/promises'
import { UniqueIntegrityConstraintViolationError } from 'slonik'
import type { Pool, Tx } from './sql.ts'

/** What may be done around a commit: a test kills the process there. */
export type Seam = (step: string) => Promise<void> | void

/**
 * Runs `work` in one transaction and answers what it answered. It runs again when Postgres asks for it (deadlock,
 * serialisation), so nothing outside the database may happen inside.
 */
export const transact = <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> => pool.transaction(work)

/** The same once more after a unique violation: two callers made the same thing, and the second now finds it. */
export const transactOnce = async <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> => {
  try {
    return await transact(pool, work)
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error
    await wait(5)
    return transact(pool, work)
  }
}
