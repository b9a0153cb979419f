import { Client } from 'pg'
import type { Test } from 'tap'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { testDatabase } from './database.ts'

/** A database for this test alone, as the service sees it and as anybody does; both are closed when the test has ended. */
export const openDatabase = async (t: Test): Promise<{ pool: Pool; client: Client }> => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log: createLog({ level: 'silent', format: 'json' }) })
  t.teardown(() => pool.end())
  const client = new Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  return { pool, client }
}
