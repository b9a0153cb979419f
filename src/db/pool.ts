import { createPool as createSlonikPool, type Interceptor } from 'slonik'
import type { Log } from '#log.ts'
import { poolDriver } from './pool-driver.ts'
import { checkedRow, rowTypes } from './row-types.ts'
import type { Pool } from './sql.ts'
import { createStatementNames } from './statement-names.ts'
import { lockTimeout } from './transact.ts'

/**
 * Slonik leaves the check of rows to an interceptor: without this one, `sql.type(schema)` is a claim, not a check.
 * Synchronous, which spares each row the queue of promises that `transformRowAsync` needs.
 */
const rowsAreChecked: Interceptor = {
  name: 'rows-are-checked',
  transformRow: ({ resultParser }, query, row) =>
    resultParser ? checkedRow({ parser: resultParser, ...query }, row) : row,
}

const statementsArePrepared = (): Interceptor => {
  const nameOf = createStatementNames()
  return {
    name: 'statements-are-prepared',
    transformQuery: (_context, query) => {
      const name = nameOf(query.sql)
      return name === undefined ? query : { ...query, name }
    },
  }
}

/** Of a statement: the transaction that it is in, and the rows that it returned, once it did. */
type Place = { transaction: string | null; rows?: readonly Readonly<Record<string, unknown>>[] }

/** Called before and after every statement with its values, for tests that end the process at that point, or ask what it does. */
export type Seam = (step: string, values?: readonly unknown[], place?: Place) => void

const seamed = (seam: Seam): Interceptor => ({
  name: 'seamed',
  beforeQueryExecution: ({ transactionId: transaction }, query) => {
    seam(`before ${query.sql}`, query.values, { transaction })
    return null
  },
  afterQueryExecution: ({ transactionId: transaction }, query, { rows }) => {
    seam(`after ${query.sql}`, query.values, { transaction, rows })
    return null
  },
})

export type PoolOptions = {
  log: Log
  size?: number
  seam?: Seam
  /** Of its sessions, besides ours. */
  settings?: Readonly<Record<string, string>>
}

/** Connections to Postgres. Rejects when the address is not one; connects on first use. */
export const createPool = async (url: string, options: PoolOptions): Promise<Pool> => {
  const pool = await createSlonikPool(url, {
    maxPoolSize: options.size ?? 10,
    idleTimeout: 30_000,
    driverFactory: poolDriver({
      statement_timeout: '30s',
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: '15s',
      ...options.settings,
    }),
    statementTimeout: 'DISABLE_TIMEOUT',
    idleInTransactionSessionTimeout: 'DISABLE_TIMEOUT',
    // DISCARD ALL at each release costs 1.4 to 1.7 times and would drop the prepared statements; we leave no session state
    resetConnection: async () => {},
    typeParsers: rowTypes,
    interceptors: [statementsArePrepared(), rowsAreChecked, ...(options.seam ? [seamed(options.seam)] : [])],
  })
  // without a listener, losing an idle connection ends the process; refused queries come here too, and their callers report
  // them
  pool.on('error', (error) => options.log.debug({ err: error }, 'a database connection reported an error'))
  return pool
}
