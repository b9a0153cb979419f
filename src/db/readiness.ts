import { z } from 'zod'
import { type Reader, sql } from './sql.ts'

const NumberListedRow = z.object({ number: z.number(), listed: z.number() })

/**
 * Rejects if the database takes no writes, or none of ours: takes a number of the queue, as queueing a row does. After a
 * fail-over a service may be connected to a standby, which answers every read. A number needs no room, though: on a full disk
 * rows are refused, and so is the temporary file that a list of 20,000 numbers needs, which is gone after the statement.
 */
export const tryWrite = async (db: Reader): Promise<void> => {
  await db.one(sql.type(NumberListedRow)`
    with small as materialized (select set_config('work_mem', '64kB', true) as memory)
    select nextval(pg_get_serial_sequence('jobs', 'id')) as number, (
      select count(*) from small, generate_series(1, 20000 + 0 * length(small.memory))
    ) as listed`)
}
