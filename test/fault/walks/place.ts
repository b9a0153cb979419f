import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { migrate } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { type Pool, sql } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { until } from '#test/helpers/until.ts'
import { type Asking, createAsking } from './asking.ts'
import { type Host, startHost } from './host/host.ts'
import { audience } from './host/job-tokens.ts'
import { type HostRepository, makeRepository } from './host/records.ts'
import { type Instances, startInstances } from './instances.ts'
import { type Quiet, watchQuiet } from './quiet.ts'

/** Where walks are taken: a code host, a database, two instances of the service, and many repositories. */
export type Place = {
  host: Host
  repositories: readonly HostRepository[]
  instances: Instances
  asking: Asking
  pool: Pool
  quiet: Quiet
  apiKey: string
  close(): Promise<void>
}

/** Opens a place in an empty or migrated database. */
export const openPlace = async (databaseUrl: string, repositoryCount: number): Promise<Place> => {
  await migrate(databaseUrl)
  const repositories = Array.from({ length: repositoryCount }, (_, index) => makeRepository(index))
  const host = await startHost(repositories)
  const pool = await createPool(databaseUrl, { log: createLog({ level: 'silent', format: 'json' }) })
  const env = { ...host.env, DATABASE_URL: databaseUrl, SVC_BASE_URL: audience, SVC_WORKERS: '8' }
  const instances = await startInstances(2, env)
  const asking = createAsking(instances.urls)
  const quiet = watchQuiet(pool)
  await until(async () => (await count(pool)) === repositoryCount)
  return {
    ...{ host, repositories, instances, asking, pool, quiet, apiKey: await addKey(pool) },
    close: async () => {
      asking.close()
      await quiet.close()
      await instances.close()
      await pool.end()
      await host.close()
    },
  }
}

/** Before the first synchronisation the service knows no repository. */
const count = (pool: Pool): Promise<number> =>
  pool.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*)::int as count from repositories`)

const addKey = async (pool: Pool): Promise<string> => {
  const key = `sk_${randomUUID()}`
  const hash = createHash('sha256').update(key).digest('hex')
  await pool.query(
    sql.unsafe`insert into api_keys (name, key_hash, prefix, created_by) values ('walks', ${hash}, 'sk_', 'walks')`,
  )
  return key
}
