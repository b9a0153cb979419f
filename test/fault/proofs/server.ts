import { query } from '#dev/own-database.ts'
import { type EmbeddedPostgres, startPostgres } from '#dev/postgres.ts'
import { primarySettings } from '#test/db/replica/standby.ts'

/**
 * A proof's own Postgres. It tidies its tables as a shipped one does: after a thousand pairs of faults that nobody tidied up after, a look
 * at the queue took 58 ms. It looks for circles of transactions after 50 ms: who waits only briefly gives up before the second that
 * Postgres takes by default. A replica can follow it, also one that was away for a while.
 */
export const startProofServer = (dir: string, port?: number): Promise<EmbeddedPostgres> =>
  startPostgres({
    dir,
    settings: { ...primarySettings, wal_keep_size: '256MB', autovacuum: true, deadlock_timeout: '50ms' },
    ...(port === undefined ? {} : { port }),
  })

/** Makes a database there, and returns its address. */
export const emptyDatabase = async (server: string, name: string): Promise<string> => {
  await query(server, `create database "${name}"`)
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}
