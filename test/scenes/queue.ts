import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { createPool } from '#db/pool.ts'
import { claimJobs, type RowSource, type Share } from '#db/queue/claim-jobs.ts'
import { addJobs, type NewJob } from '#db/queue/jobs.ts'
import { queryOf, rowsOf } from '#db/queue/statement.ts'
import type { Pool } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { until } from '#test/helpers/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a test digs into is what it checks
type Row = any

export const silent = createLog({ level: 'silent', format: 'json' })

/** Stands still until it is set forward; never behind the database's clock, which stamps what is queued. */
type TestClock = { now(): Date; pass(seconds: number): void }

const testClock = (): TestClock => {
  let at = Date.now() + 1000
  return {
    now: () => new Date(at),
    pass: (seconds) => {
      at += seconds * 1000
    },
  }
}

type Connection = Pick<pg.ClientBase, 'query'>

export type Queue = {
  url: string
  /** The pool of this process, and of another one beside it. */
  pool: Pool
  other: Pool
  clock: TestClock
  /** Rows of a statement, seen from outside. */
  rows(text: string, values?: unknown[]): Promise<Row[]>
  /** A connection of another process's worker, to be released. */
  connect(): Promise<pg.PoolClient>
  add(...jobs: Partial<NewJob>[]): Promise<void>
  /** Takes rows as a worker would; returns them in the order of their ids. */
  claim(options?: {
    on?: Connection
    worker?: string
    limit?: number
    leaseSeconds?: number
    share?: Share
  }): Promise<Row[]>
}

/** A queue in a separate database. */
export const openQueue = async (t: Test): Promise<Queue> => {
  const { url } = await testDatabase(t)
  const options = { log: silent, seam: watchLockOrder(t) }
  const [pool, other] = await Promise.all([createPool(url, options), createPool(url, options)])
  const outside = new pg.Pool({ connectionString: url, max: 4 })
  // a test that ends all connections ends these too
  outside.on('error', () => {})
  t.teardown(() => Promise.all([pool.end(), other.end(), outside.end()]))
  const clock = testClock()
  return {
    url,
    pool,
    other,
    clock,
    rows: async (text, values) => (await outside.query(text, values)).rows,
    add: (...jobs) => addJobs(pool, jobs.map(jobOf)),
    connect: () => outside.connect(),
    claim: async ({ on = outside, worker = workerId, limit = 10, leaseSeconds = 30, share } = {}) => {
      const session: RowSource = {
        rows: async (statement, values) => rowsOf(statement, await on.query(queryOf(statement, values))),
      }
      const jobs = await claimJobs(session, {
        worker,
        limit,
        leaseSeconds,
        now: clock.now(),
        ...(share ? { share } : {}),
      })
      return [...jobs].sort((a, b) => a.id - b.id)
    },
  }
}

export const workerId = randomUUID()

export const jobOf = (job: Partial<NewJob>): NewJob => ({
  kind: 'publish_run',
  key: null,
  lane: null,
  payload: {},
  cause: null,
  ...job,
})

/** Resolves when a session of the database waits for a lock that another holds. */
export const untilBlocked = ({ rows }: Queue): Promise<void> =>
  until(async () => {
    const [{ count }] = await rows(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return count > 0
  })

/** A promise that the test resolves when it likes. */
export const gate = (): { opened: Promise<void>; open(): void } => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
