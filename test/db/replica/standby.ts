import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Settings } from '#dev/postgres/cluster.ts'
import { type EmbeddedPostgres, startPostgres } from '#dev/postgres.ts'
import { signalServer } from './server-processes.ts'

/** What a primary needs for standbys. */
export const primarySettings: Settings = { wal_level: 'replica', max_wal_senders: 4, max_wal_size: '512MB' }

/**
 * A server that follows another one of startPostgres: its copy, made while it runs (Postgres, 'Making a Base Backup Using the
 * Low Level API': pg_basebackup is not among the embedded programs).
 */
export const startStandby = async (primary: { url: string; dir: string }, dir: string): Promise<Standby> => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const client = new Client(primary.url)
  await client.connect()
  try {
    await client.query("select pg_backup_start('standby', true)")
    execFileSync('cp', ['-a', join(primary.dir, 'data'), join(dir, 'data')])
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    rmSync(join(dir, 'data/postmaster.pid'), { force: true })
    place(dir, 'data/backup_label', rows[0].labelfile)
    place(dir, 'data/standby.signal', '')
  } finally {
    await client.end()
  }
  const record = JSON.parse(readFileSync(join(primary.dir, 'server.json'), 'utf8'))
  writeFileSync(join(dir, 'server.json'), JSON.stringify({ ...record, port: 0 }), { mode: 0o600 })
  const { hostname, port, username, password } = new URL(primary.url)
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`
  const start = (at?: number) =>
    startPostgres({
      dir,
      settings: { ...primarySettings, primary_conninfo },
      ...(at === undefined ? {} : { port: at }),
    })
  const server = await start()
  return {
    ...server,
    startAgain: async () => void (await start(Number(new URL(server.url).port))),
    whileFrozen: async (work) => {
      signalServer(dir, 'SIGSTOP')
      await work().finally(() => signalServer(dir, 'SIGCONT'))
    },
  }
}

export type Standby = EmbeddedPostgres & {
  /** Starts it at the same address after it was stopped. */
  startAgain(): Promise<void>
  /** Its processes stand still until the work has ended. */
  whileFrozen(work: () => Promise<void>): Promise<void>
}

/** Writes a file that belongs to the account that the data belongs to. */
const place = (dir: string, name: string, text: string): void => {
  const path = join(dir, name)
  writeFileSync(path, text, { mode: 0o600 })
  const { uid, gid } = statSync(join(dir, 'data'))
  chownSync(path, uid, gid)
}
