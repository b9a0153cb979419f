import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import packageJson from '../package.json' with { type: 'json' }
import { type Clock, systemClock } from './clock.ts'
import { readDelivery } from './codehost/github/deliveries.ts'
import { createGitHub } from './codehost/github/github.ts'
import { createManifestConversion } from './codehost/github/manifest.ts'
import { createGitHubPages } from './codehost/github/pages.ts'
import { createGitHubSignIn } from './codehost/github/sign-in.ts'
import { createOidcVerifier } from './codehost/oidc.ts'
import type { SignInHost } from './codehost/sign-in.ts'
import type { RequestDeps, StoreForWorker } from './commands/deps.ts'
import { createRowsOf } from './commands/history/rows-of-archived.ts'
import { createResolver } from './commands/resolving/resolver.ts'
import type { Config } from './config.ts'
import { followDatabase } from './db/database-clock.ts'
import { createRestoredRows } from './db/history/restored-rows.ts'
import { migrate } from './db/migrate.ts'
import { createPool, type Seam } from './db/pool.ts'
import { followReplica, type Replica } from './db/replica/follow-replica.ts'
import { createReads } from './db/replica/reads.ts'
import { createRepositoryLookUp } from './db/repositories/repository-look-up.ts'
import type { Pool } from './db/sql.ts'
import { Problem } from './errors.ts'
import type { Service } from './http/app.ts'
import { buildServer } from './http/server.ts'
import { readBuiltUi } from './http/ui/built-files.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createRuntime } from './runtime/runtime.ts'
import { type Running, type Stop, stopService } from './stop-service.ts'
import { startScheduler } from './workers/clock/scheduler.ts'
import { requestSyncAtStart } from './workers/handlers/request-sync.ts'
import { withinBudget } from './workers/publish/within-budget.ts'
import { startWorkers } from './workers/workers.ts'

/** Parts that a caller may replace. */
export type Replacements = {
  /** The time of everything; otherwise that is the database's. */
  clock?: Clock
  /** The clock of this machine, which may be wrong. */
  machineClock?: Clock
  /** How a command waits for the code host. */
  pause?: (ms: number) => Promise<unknown>
  /** Requests to the code host go through it. */
  fetch?: typeof fetch
  /** False for an emulator, which does not mind many writes a second. */
  paced?: boolean
  /** How often a run is published at most while it goes on: once a second; at each change if the code host is not `paced`. */
  publishEveryMs?: number
  log?: Log
  /** Called around every statement of the database, so a test can end the process right there. */
  seam?: Seam
  /** How long a dead worker's jobs wait for another. */
  leaseSeconds?: number
  /** False: nothing is queued by the clock, so a test can do it by hand. */
  scheduled?: boolean
}

export type RunningService = { url: string; stop(options?: Stop): Promise<void> }

/** The commit that the service was bundled from (src/dev/build.ts inserts it). */
declare const bundledCommit: string | undefined

const build = {
  version: packageJson.version,
  commit: typeof bundledCommit === 'undefined' ? 'unknown' : bundledCommit,
}

/** Where the build puts the web interface: beside the bundle, and among the sources in a place of its own. */
const uiDirectory = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../ui/dist' : 'ui')

/** Starts everything in reading order; the returned service stops it in reverse. Rejects if any part cannot start. */
export const startService = async (config: Config, replaced: Replacements = {}): Promise<RunningService> => {
  const log = replaced.log ?? createLog(config.log)
  const applied = await migrate(config.databaseUrl)
  if (applied.length > 0) log.info({ migrations: applied }, 'schema brought up to date')
  const metrics = createMetrics(build)
  metrics.servedAt(config.baseUrl)
  const pool = await createPool(config.databaseUrl, { log, ...(replaced.seam ? { seam: replaced.seam } : {}) })
  const machine = replaced.machineClock ?? systemClock
  const followed = replaced.clock
    ? undefined
    : await followDatabase({ db: pool, log, machine, onMeasured: metrics.clockAhead })
  const clock = replaced.clock ?? followed ?? systemClock
  const replica = await startReplica(config, { log, metrics, pool })
  const parts = config.app
    ? await startParts({ config, app: config.app, replaced, log, clock, metrics, pool, replica })
    : undefined
  const ui = await readBuiltUi(uiDirectory)
  if (!ui) log.warn('the web interface is not built: its page says so, and npm run build builds it')
  const server = buildServer({
    build,
    baseUrl: config.baseUrl,
    pool,
    log,
    clock,
    ...(followed ? { clockAheadMs: followed.aheadMs } : {}),
    ...(parts ? { queueTrouble: parts.queueTrouble } : {}),
    metrics,
    metricsToken: config.metricsToken,
    dashboardUrl: config.dashboardUrl,
    trustProxy: config.trustProxy,
    sessionKey: config.sessionKey.bytes,
    setup: {
      ...config.codehost,
      allowResetup: config.allowResetup,
      convert: createManifestConversion({ apiUrl: config.codehost.apiUrl, log, metrics: metrics.github }),
    },
    service: parts?.service,
    ui,
    hasReplica: replica !== undefined,
  })
  if (config.oauth && config.sessionKey.generated) {
    log.warn('SVC_SESSION_KEY is not set: sessions end with this process, and other instances do not know them')
  }
  await server.listen(config.listen)
  const { port } = server.server.address() as AddressInfo
  const host = config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host
  log.info({ port, base_url: config.baseUrl, setup_mode: parts === undefined }, 'listening')
  return {
    url: `http://${host}:${port}`,
    stop: async (options) => {
      followed?.stop()
      await stopService(
        { server, ...(parts ? { parts: parts.running } : {}), ...(replica ? { replica } : {}), pool, log },
        options,
      )
    },
  }
}

const startReplica = async (
  { databaseReadUrl: url }: Config,
  { log, metrics, pool }: Pick<Making, 'log' | 'metrics' | 'pool'>,
): Promise<Replica | undefined> =>
  url === undefined
    ? undefined
    : followReplica({ primary: pool, replica: await createPool(url, { log }), log, onSeen: metrics.replicaSeen })

type Making = {
  config: Config
  app: NonNullable<Config['app']>
  replaced: Replacements
  log: Log
  clock: Clock
  metrics: Metrics
  pool: Pool
  replica: Replica | undefined
}

type Parts = { service: Service; queueTrouble(): string | undefined; running: NonNullable<Running['parts']> }

/** The parts that need a configured app: the code host, the runtime, the workers. Setup mode has none of them. */
const startParts = async ({ config, app, replaced, log, clock, metrics, pool, replica }: Making): Promise<Parts> => {
  const paced = replaced.paced ?? true
  const codehost = createGitHub({
    appId: app.id,
    privateKey: app.privateKey,
    apiUrl: config.codehost.apiUrl,
    metrics: metrics.github,
    log,
    paced,
    ...(replaced.fetch ? { fetch: replaced.fetch } : {}),
  })
  let wake = (_inMs?: number): void => {}
  let store: StoreForWorker = async () => {}
  const runtime = createRuntime({ pool, clock, onJobs: (inMs) => wake(inMs), onSettled: metrics.settled })
  const resolver = createResolver()
  // its client is loaded only if it is used
  const artifacts = config.artifacts && (await (await import('./artifacts/s3.ts')).createS3Store(config.artifacts))
  const restored = createRestoredRows(config.databaseUrl, pool, { log, size: 3 })
  const commands: RequestDeps = {
    pool,
    findRepository: createRepositoryLookUp(pool),
    runtime,
    codehost,
    artifacts,
    clock,
    pause: replaced.pause ?? wait,
    log,
    metrics,
    baseUrl: config.baseUrl,
    resolver,
    rowsOf: createRowsOf({ pool, restored, artifacts }),
    reads: createReads(pool, replica, (error) => error instanceof Problem),
    pages: createGitHubPages(config.codehost.webUrl),
    storeForWorker: (count, storeRows) => store(count, storeRows),
  }
  await requestSyncAtStart(pool)
  const running = startWorkers({
    ...commands,
    codehost: paced ? withinBudget(codehost, { pool, clock }) : codehost,
    readDelivery,
    retention: config.retention,
    publishEveryMs: replaced.publishEveryMs ?? (paced ? 1000 : 0),
    metrics,
    databaseUrl: config.databaseUrl,
    concurrency: config.workers,
    ...(replaced.seam ? { seam: replaced.seam } : {}),
    ...(replaced.leaseSeconds ? { leaseSeconds: replaced.leaseSeconds } : {}),
  })
  wake = running.wake
  store = running.store
  const scheduler =
    replaced.scheduled === false
      ? undefined
      : startScheduler({ databaseUrl: config.databaseUrl, pool, log, metrics, wake: running.wake })
  const verifyToken = createOidcVerifier({ ...config.oidc, clock })
  return {
    service: { commands, verifyToken, webhookSecret: app.webhookSecret, signIn: signInOf(config, log, metrics) },
    queueTrouble: running.trouble,
    running: { scheduler, workers: running, runtime, resolver, restored },
  }
}

const signInOf = ({ oauth, codehost, baseUrl }: Config, log: Log, metrics: Metrics): SignInHost | undefined =>
  oauth &&
  createGitHubSignIn({ ...oauth, ...codehost, redirectUri: `${baseUrl}/auth/callback`, log, metrics: metrics.github })
