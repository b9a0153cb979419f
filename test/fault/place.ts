import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { migrate } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { queueDepths } from '#db/queue/jobs.ts'
import { type Pool, sql } from '#db/sql.ts'
import { type Emulator, startEmulator } from '#emulator/emulator.ts'
import type { RepositoryHandle } from '#emulator/handles.ts'
import { createLog } from '#log.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { type Supervised, supervise } from './supervised.ts'

/** Where stories are played: a GitHub, a database, and the service as a supervised process. */
export type Place = {
  github: Emulator
  repository: RepositoryHandle
  /** A look at the database from outside. */
  pool: Pool
  service: Supervised & { url: string }
  /** Resolves when nothing is left that could change anything. Rejects after two minutes, with what is left. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Short, so a killed worker's jobs go on soon; an equally long stall of the test machine only causes a take-over. */
const leaseSeconds = 0.6

/**
 * `databaseUrl` names an empty or a migrated database; the emulator's repositories are made in `dataDir`. The service runs
 * and knows the repository, which it does not before the first synchronisation.
 */
export const openPlace = async ({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }): Promise<Place> => {
  await migrate(databaseUrl)
  // an hour of stories may not use up the hour's request limit of one
  const github = await startEmulator({ dataDir, rateLimit: 1_000_000 })
  const installation = github.createInstallation({ account: 'acme', type: 'Organization' })
  const files = { 'svc.yml': 'version: 1\n', 'network/main.tf': '# network\n', 'app/main.tf': '# app\n' }
  const repository = await github.createRepository({ owner: 'acme', name: 'infra', files })
  installation.addRepository(repository.fullName)
  const port = await quietPort()
  const service = supervise(serviceEnvironment(github, databaseUrl, port), leaseSeconds)
  const url = `http://127.0.0.1:${port}`
  github.setWebhookUrl(`${url}/webhooks/codehost`)
  const pool = await createPool(databaseUrl, { log: createLog({ level: 'silent', format: 'json' }) })
  const place: Place = {
    github,
    repository,
    pool,
    service: { ...service, url },
    settled: () => settled(github, pool),
    close: async () => {
      await service.close()
      await pool.end()
      await github.close()
    },
  }
  service.start()
  await service.up()
  await place.settled()
  return place
}

/** Below the ports that the system gives to outgoing connections: one of them could take it between a kill and the restart. */
export const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false))
      server.listen(port, '127.0.0.1')
    })
    if (!free) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** Hundreds of kills leave as many failed deliveries: of a hundred, the code host is asked for the next ones after 30 s. */
const settled = async (github: Emulator, pool: Pool): Promise<void> => {
  for (let turn = 0; turn < 12_000; turn++) {
    await github.deliveriesSettled()
    const depths = await queueDepths(pool)
    if (depths.every((depth) => depth.state === 'dead')) return
    await wait(10)
  }
  const left = await pool.any(sql.unsafe`
    select kind, key, state, attempt, last_error, run_at - now() as in from jobs where state in ('queued', 'running')`)
  throw new Error(`still in the queue after two minutes: ${JSON.stringify(left)}`)
}
