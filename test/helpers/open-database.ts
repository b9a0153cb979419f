import { Client } from 'pg'
import type { Test } from 'tap'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { testDatabase } from './database.ts'

export type OpenDatabase = {
  pool: Pool
  client: Client
  /** Whether somebody waits for a lock in it; also within a transaction of `client`. */
  isAnyoneHeld(): Promise<boolean>
}

/** A database for this test alone, as the service sees it and as anybody does; both are closed when the test has ended. */
export const openDatabase = async (t: Test): Promise<OpenDatabase> => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log: createLog({ level: 'silent', format: 'json' }), seam: watchLockOrder(t) })
  t.teardown(() => pool.end())
  const client = new Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  const isAnyoneHeld = async (): Promise<boolean> => {
    // within a transaction, who does what is one picture unless that is thrown away
    await client.query('select pg_stat_clear_snapshot()')
    const held = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await client.query(held)).rows.length > 0
  }
  return { pool, client, isAnyoneHeld }
}
