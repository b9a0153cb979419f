import { z } from 'zod'
import { type Reader, sql } from './sql.ts'

/**
 * Rejects if the database takes no writes, or none of ours: takes a number of the queue, as queueing a row does. After a
 * fail-over a service may be connected to a standby, which answers every read.
 */
export const tryWrite = async (db: Reader): Promise<void> => {
  await db.one(sql.type(z.object({ number: z.number() }))`
    select nextval(pg_get_serial_sequence('jobs', 'id')) as number`)
}
