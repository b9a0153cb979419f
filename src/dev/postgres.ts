import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Account, closedDirectory, serverAccount } from './postgres/account.ts'
import { findBinaries } from './postgres/binaries.ts'
import type { Settings } from './postgres/cluster.ts'
import {
  answers,
  type Cluster,
  freePort,
  halt,
  initialise,
  launch,
  runningPort,
  StartFailed,
} from './postgres/cluster.ts'
import { exclusively } from './postgres/exclusive.ts'

export type PostgresOptions = {
  /** Directory for data, log and address, made if missing (mode 700); `postgresDirectory(name)` names a good one. */
  dir: string
  /** Added to `quickSettings`, and overriding them. A running server with other settings is restarted. */
  settings?: Settings
  /** By default a free one is chosen and kept. */
  port?: number
}

export type EmbeddedPostgres = {
  /** Superuser's address of the database `postgres`, on the loopback interface. */
  url: string
  stop(): Promise<void>
}

/** For data that may be lost with the machine, but not with the process: nothing waits for the disk. */
export const quickSettings: Settings = {
  fsync: false,
  full_page_writes: false,
  autovacuum: false,
  jit: false,
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '4GB',
  checkpoint_timeout: '1d',
  max_connections: 200,
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * A real Postgres from node_modules, started or, if one already runs in `dir`, reused (11 ms). It outlives its parent until
 * `stop`, so a killed service or test finds its data again. If it cannot run, throws an Error that says what to do: no
 * package for the platform, a directory that its account may not enter, a port already taken.
 */
export const startPostgres = (options: PostgresOptions): Promise<EmbeddedPostgres> =>
  exclusively(options.dir, async () => {
    const cluster = openCluster(options.dir)
    const settings = { ...quickSettings, ...options.settings }
    const known = readRecord(cluster)
    const same = isDeepStrictEqual(known?.settings, settings) && (options.port ?? known?.port) === known?.port
    // A server that was just killed, or killed during its start, keeps its process for a moment and takes no connection.
    if (known && same && runningPort(cluster) === known.port && (await answers(known.port)))
      return embedded(cluster, known)
    await halt(cluster)
    const password = known?.password ?? randomBytes(24).toString('base64url')
    if (!known) await initialise(cluster, password)
    const port = await launchOnFreePort(cluster, settings, options.port, known?.port)
    const record = { port, password, settings }
    writeFileSync(recordOf(cluster), JSON.stringify(record), { mode: 0o600 })
    return embedded(cluster, record)
  })

/** Stops the server of `dir` unless `unless` objects; no other process starts or stops it meanwhile. */
export const stopPostgres = (dir: string, unless: () => boolean = () => false): Promise<void> =>
  exclusively(dir, async () => {
    if (existsSync(dir) && !unless()) await halt(openCluster(dir))
  })

/**
 * A directory of this checkout for the named server, outside the checkout: below SVC_DATA_DIR; else in memory, if requested
 * and there is enough; else in the first temporary directory that the server's account can enter.
 */
export const postgresDirectory = (name: string, { inMemory = false } = {}): string => {
  const checkout = createHash('sha256')
    .update(join(import.meta.dirname, '../..'))
    .digest('hex')
    .slice(0, 8)
  const leaf = `svc-postgres-${process.getuid?.() ?? 0}-${checkout}-${name}`
  if (process.env.SVC_DATA_DIR) return join(process.env.SVC_DATA_DIR, leaf)
  const account = serverAccount()
  return join(inMemory && hasMemory(account) ? memory : openTemporary(account), leaf)
}

/** Files kept in memory, if the system has that (Linux). */
const memory = '/dev/shm'

/** By total memory and not by free memory: all processes that ask must get the same answer. */
const hasMemory = (account: Account | undefined): boolean => {
  if (!existsSync(memory)) return false
  const found = statfsSync(memory)
  const total = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return found.blocks * found.bsize >= 2 ** 31 && total >= 2 ** 33 && !closedDirectory(memory, account)
}

const openTemporary = (account: Account | undefined): string =>
  [tmpdir(), '/tmp', '/var/tmp'].find((place) => !closedDirectory(place, account)) ?? tmpdir()

const openCluster = (dir: string): Cluster => {
  const account = serverAccount()
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const closed = closedDirectory(dirname(dir), account)
  if (closed && account) {
    throw new Error(
      `Postgres runs as user ${account.name}, who may not enter ${closed}: set SVC_DATA_DIR to a directory open to ` +
        `that user (such as /var/tmp), or allow it (chmod o+x ${closed})`,
    )
  }
  const found = lstatSync(dir)
  const owners = [process.getuid?.(), account?.uid]
  if (!found.isDirectory() || !owners.includes(found.uid)) throw new Error(`${dir} is not our own directory`)
  if (account) chownSync(dir, account.uid, account.gid)
  chmodSync(dir, 0o700)
  return { dir, account, binaries: findBinaries(account, openTemporary(account)) }
}

type ServerRecord = { port: number; password: string; settings: Settings }

const recordOf = (cluster: Cluster): string => join(cluster.dir, 'server.json')

/** Written only after the first good start: without it the directory is half-made and is laid out again. */
const readRecord = (cluster: Cluster): ServerRecord | undefined => {
  try {
    return JSON.parse(readFileSync(recordOf(cluster), 'utf8')) as ServerRecord
  } catch {
    return undefined
  }
}

const launchOnFreePort = async (cluster: Cluster, settings: Settings, wanted?: number, last?: number) => {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (attempt === 1 && last ? last : await freePort())
    try {
      await launch(cluster, port, settings)
      return port
    } catch (error) {
      // Between our asking for a free port and the server's taking it, another process may take it.
      if (!(error instanceof StartFailed) || !error.portTaken || wanted !== undefined || attempt === 5) throw error
    }
  }
}

const embedded = (cluster: Cluster, record: ServerRecord): EmbeddedPostgres => ({
  url: `postgres://svc:${record.password}@127.0.0.1:${record.port}/postgres`,
  stop: () => stopPostgres(cluster.dir),
})
