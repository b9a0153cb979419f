import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import { queueDepths } from '#db/queue/jobs.ts'
import type { Pool } from '#db/sql.ts'
import { type Emulator, startEmulator } from '#emulator/emulator.ts'
import type { RepositoryHandle } from '#emulator/handles.ts'
import type { Replacements, RunningService } from '#service.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { testDatabase } from './database.ts'
import { testLog as log, startInstance } from './instance.ts'
import { nudge } from './nudge.ts'
import { serviceEnvironment } from './service-environment.ts'

/** A database for the test alone, an emulated GitHub with one installed repository, and the service, over real HTTP. */
export type World = {
  github: Emulator
  repository: RepositoryHandle
  service: RunningService
  /** A look at the database from outside. */
  pool: Pool
  /** Environment that starts another instance of the same service. */
  env: Record<string, string>
  /** Resolves when every delivery has arrived and the queue is empty: nothing is left that could change anything. */
  settled(): Promise<void>
}

const emptyRepository = { 'svc.yml': 'version: 1\n' }

export const startWorld = async (
  t: Test,
  options: {
    files?: Record<string, string>
    /** Variables of the service besides those of the code host and the database, which may be made of what the code host is. */
    env?: Record<string, string> | ((github: Emulator) => Record<string, string>)
    replaced?: Replacements
    /** A database of its own server; a clone of the template when left out. */
    databaseUrl?: string
    /** What time it is at the code host; the machine's when left out. */
    hostClock?: { now(): Date }
  } = {},
): Promise<World> => {
  const databaseUrl = options.databaseUrl ?? (await testDatabase(t)).url
  const { hostClock = systemClock } = options
  const github = await startEmulator({ dataDir: t.testdir(), clock: () => hostClock.now() })
  t.teardown(() => github.close())
  const installation = github.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await github.createRepository({
    owner: 'acme',
    name: 'infra',
    files: options.files ?? emptyRepository,
  })
  installation.addRepository(repository.fullName)
  const env = {
    ...serviceEnvironment(github, databaseUrl),
    ...(typeof options.env === 'function' ? options.env(github) : options.env),
  }
  const service = await startInstance(t, env, options.replaced)
  github.setWebhookUrl(`${service.url}/webhooks/codehost`)
  const pool = await createPool(databaseUrl, { log, seam: watchLockOrder(t) })
  t.teardown(() => pool.end())
  const world = { github, repository, service, pool, env, settled: () => settled(github, pool) }
  await world.settled()
  return world
}

/** Resolves when nothing is left that could change anything, in this database of a service. */
export const settled = async (github: Emulator, pool: Pool): Promise<void> => {
  await nudge(pool)
  for (;;) {
    // a job may ask the code host for a delivery and end while the queue is looked at
    const asked = github.requests.length
    await github.deliveriesSettled()
    const depths = await queueDepths(pool)
    if (github.requests.length === asked && depths.every((depth) => depth.state === 'dead')) return
    await wait(10)
  }
}
