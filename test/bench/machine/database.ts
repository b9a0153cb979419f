import { Client } from 'pg'
import { migrate } from '#db/migrate.ts'
import { postgresDirectory, startPostgres } from '#dev/postgres.ts'

/**
 * A database for measuring, on a server with production settings: commits wait for the disk, as they do when results must
 * not be lost.
 */
export const benchDatabase = async (name: string): Promise<{ url: string; stop(): Promise<void> }> => {
  const server = await startPostgres({
    dir: postgresDirectory('bench'),
    settings: { fsync: true, full_page_writes: true, synchronous_commit: 'on', autovacuum: true },
  })
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
