import { Client } from 'pg'
import { migrate } from '#db/migrate.ts'
import type { Settings } from '#dev/postgres/cluster.ts'
import { postgresDirectory, startPostgres } from '#dev/postgres.ts'

/** As Postgres is shipped: a commit waits for the disk, the log is enough for a replica, a checkpoint comes every five minutes. */
const asShipped: Settings = {
  fsync: true,
  full_page_writes: true,
  synchronous_commit: 'on',
  autovacuum: true,
  wal_level: 'replica',
  max_wal_senders: 10,
  max_wal_size: '1GB',
  checkpoint_timeout: '5min',
}

/** A new database for measuring, on a server with production settings. */
export const benchDatabase = async (name: string): Promise<{ url: string; stop(): Promise<void> }> => {
  const server = await startPostgres({ dir: postgresDirectory('bench'), settings: asShipped })
  const admin = new Client(server.url)
  await admin.connect()
  await admin.query(`drop database if exists "${name}" with (force)`)
  await admin.query(`create database "${name}"`)
  await admin.end()
  const url = new URL(server.url)
  url.pathname = `/${name}`
  await migrate(url.href)
  return { url: url.href, stop: () => server.stop() }
}
