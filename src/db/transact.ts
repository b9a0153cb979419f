import type { Pool, Tx } from './sql.ts'

/**
 * Runs `work` in one transaction and answers what it answered. It runs again when Postgres asks for it (deadlock,
 * serialisation), so nothing outside the database may happen inside.
 */
export const transact = <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> => pool.transaction(work)
