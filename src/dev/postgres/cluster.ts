import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../liveness.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'

export type Settings = Readonly<Record<string, string | number | boolean>>

/** One data directory and how to run its server. */
export type Cluster = { dir: string; binaries: Binaries; account: Account | undefined }

const dataOf = (cluster: Cluster): string => join(cluster.dir, 'data')
const logOf = (cluster: Cluster): string => join(cluster.dir, 'server.log')

/** Lays out the data directory (0.8 s), with one superuser `svc` whose password it takes. */
export const initialise = async (cluster: Cluster, password: string): Promise<void> => {
  const passwordFile = join(mkdtempSync(join(tmpdir(), 'svc-initdb-')), 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  try {
    if (cluster.account) {
      chownSync(join(passwordFile, '..'), cluster.account.uid, cluster.account.gid)
      chownSync(passwordFile, cluster.account.uid, cluster.account.gid)
    }
    rmSync(dataOf(cluster), { recursive: true, force: true })
    const options = ['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions']
    const args = ['-D', dataOf(cluster), '-U', 'svc', '--pwfile', passwordFile, ...options]
    const { code, output } = await run(cluster, cluster.binaries.initdb, args, 'pipe')
    if (code !== 0) throw new Error(`laying out the Postgres data directory ${dataOf(cluster)}: ${output.trim()}`)
  } finally {
    rmSync(join(passwordFile, '..'), { recursive: true, force: true })
  }
}

/** Starts the server and waits until it takes connections. On failure, throws with the last lines of its log. */
export const launch = async (cluster: Cluster, port: number, settings: Settings): Promise<void> => {
  disownDeadServer(cluster)
  const all = { ...settings, port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
  writeFileSync(join(dataOf(cluster), 'postgresql.conf'), lines.join(''))
  const deadline = Date.now() + 15_000
  for (;;) {
    rmSync(logOf(cluster), { force: true })
    // stdio must not be a pipe: the server inherits it and would hold it open for its whole life.
    const { code } = await run(cluster, cluster.binaries.pgCtl, [
      '-D',
      dataOf(cluster),
      '-l',
      logOf(cluster),
      '-w',
      'start',
    ])
    if (code === 0) return
    const log = existsSync(logOf(cluster)) ? readFileSync(logOf(cluster), 'utf8') : ''
    // Backends of a killed server end by themselves, but only after the statement they are running.
    if (!/pre-existing shared memory block/.test(log) || Date.now() > deadline) throw new StartFailed(cluster, log)
    await sleep(100)
  }
}

export class StartFailed extends Error {
  readonly portTaken: boolean

  constructor(cluster: Cluster, log: string) {
    super(`starting Postgres in ${cluster.dir}: ${log.trim().split('\n').slice(-6).join('\n') || 'no word in its log'}`)
    this.portTaken = /Address already in use/.test(log)
  }
}

/** Stops the server, cutting its connections; does nothing if there is none. */
export const halt = async (cluster: Cluster): Promise<void> => {
  if (runningPort(cluster) === undefined) return
  const args = ['-D', dataOf(cluster), '-m', 'fast', '-w', '-t', '30', 'stop']
  const { code } = await run(cluster, cluster.binaries.pgCtl, args)
  if (code !== 0 && runningPort(cluster) !== undefined) throw new Error(`stopping Postgres in ${cluster.dir}`)
}

/** Port of the live server of this data directory; undefined if there is none. */
export const runningPort = (cluster: Cluster): number | undefined => {
  const lines = pidFile(cluster)
  return lines && isServer(Number(lines[0]), dataOf(cluster)) ? Number(lines[3]) : undefined
}

const pidFile = (cluster: Cluster): string[] | undefined => {
  const path = join(dataOf(cluster), 'postmaster.pid')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : undefined
}

/** The pid alone proves nothing: after a restart of the machine it may belong to another program. */
const isServer = (pid: number, data: string): boolean => {
  try {
    return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return false
  }
}

/**
 * Postgres refuses to start while the process named in postmaster.pid answers signal 0, which a zombie does. The pid is
 * replaced by one that no Linux process has (above the largest pid_max). The file is not removed: its line about the shared
 * memory must stay, by which Postgres sees backends of the dead server that still work.
 */
const disownDeadServer = (cluster: Cluster): void => {
  const lines = pidFile(cluster)
  if (!lines) return
  writeFileSync(join(dataOf(cluster), 'postmaster.pid'), ['4194305', ...lines.slice(1)].join('\n'))
}

const run = (cluster: Cluster, program: string, args: string[], stdio: 'pipe' | 'ignore' = 'ignore') =>
  new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const { account } = cluster
    const identity = account ? { uid: account.uid, gid: account.gid } : {}
    // A bare environment: the caller's PGDATA, PGPORT and the like are not meant for this server.
    const child = spawn(program, args, { ...identity, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, stdio })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    child.on('error', (cause) =>
      reject(new Error(`running ${program}${account ? ` as ${account.name}` : ''}`, { cause })),
    )
    child.on('close', (code) => resolve({ code, output }))
  })

/** A port below those that the system gives to whoever asks for any: between this look and the use of it nobody is handed it. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 11_000 + randomInt(21_000)
    if (await isFree(port)) return port
  }
  throw new Error('no free port was found between 11,000 and 32,000')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1')
    server.on('error', () => resolve(false)).on('listening', () => server.close(() => resolve(true)))
  })

/** Whether something takes connections on this port of the loopback interface. */
export const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
