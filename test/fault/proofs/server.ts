import { type EmbeddedPostgres, startPostgres } from '#dev/postgres.ts'

/**
 * A proof's own Postgres. It tidies its tables as a shipped one does: after a thousand pairs of faults that nobody tidied up after, a look
 * at the queue took 58 ms. It looks for circles of transactions after 50 ms: who waits only briefly gives up before the second that
 * Postgres takes by default.
 */
export const startProofServer = (dir: string, port?: number): Promise<EmbeddedPostgres> =>
  startPostgres({
    dir,
    settings: { autovacuum: true, deadlock_timeout: '50ms' },
    ...(port === undefined ? {} : { port }),
  })
