import { createHash } from 'node:crypto'
import { createPool as createSlonikPool, type Interceptor, type QueryResultRow, SchemaValidationError } from 'slonik'
import { z } from 'zod'
import type { Log } from '#log.ts'
import { type Pool, type Reader, sql } from './sql.ts'

/**
 * Slonik leaves the check of rows to an interceptor: without this one `sql.type(schema)` is a claim, not a check. Zod checks at
 * once, so that rows need not go through the queue of promises that `transformRowAsync` means.
 */
const rowsAreChecked: Interceptor = {
  name: 'rows-are-checked',
  transformRow: (context, query, row) => {
    if (!context.resultParser) return row
    const checked = context.resultParser['~standard'].validate(row)
    if (checked instanceof Promise) throw new TypeError('a schema of rows must not check asynchronously')
    if (checked.issues) throw new SchemaValidationError(query, row, checked.issues)
    return checked.value as QueryResultRow
  },
}

/*
 * Statements are prepared under a name made of their text: planning costs as much as running for the small statements of
 * a transition. All of ours have a fixed text (lists travel as arrays), so a few hundred names suffice; the bound is for
 * the day when one has not.
 */
const preparedAtMost = 500

const statementsArePrepared = (): Interceptor => {
  const names = new Map<string, string>()
  return {
    name: 'statements-are-prepared',
    transformQuery: (_context, query) => {
      const known = names.get(query.sql)
      if (known) return { ...query, name: known }
      if (names.size >= preparedAtMost) return query
      const name = createHash('sha1').update(query.sql).digest('hex')
      names.set(query.sql, name)
      return { ...query, name }
    },
  }
}

const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
}

/** Told around every statement, so that a test may end the process just there. */
const seamed = (seam: (step: string) => void): Interceptor => ({
  name: 'seamed',
  beforeQueryExecution: (_context, query) => {
    seam(`before ${query.sql}`)
    return null
  },
  afterQueryExecution: (_context, query) => {
    seam(`after ${query.sql}`)
    return null
  },
})

export type PoolOptions = { log: Log; size?: number; seam?: (step: string) => void }

/** Connections to Postgres. Rejects when the address is not one; connects on first use. */
export const createPool = async (url: string, options: PoolOptions): Promise<Pool> => {
  const pool = await createSlonikPool(url, {
    maxPoolSize: options.size ?? 10,
    idleTimeout: 30_000,
    statementTimeout: 30_000,
    idleInTransactionSessionTimeout: 15_000,
    // DISCARD ALL at each release costs 1.4 to 1.7 times and would drop the prepared statements; we leave no session state
    resetConnection: async () => {},
    typeParsers: [
      { name: 'int8', parse: safeInteger },
      { name: 'timestamptz', parse: (text) => new Date(text) },
    ],
    interceptors: [statementsArePrepared(), rowsAreChecked, ...(options.seam ? [seamed(options.seam)] : [])],
  })
  // without a listener the loss of an idle connection ends the process; refused queries come here too, and those are their
  // callers' to tell
  pool.on('error', (error) => options.log.debug({ err: error }, 'a database connection reported an error'))
  return pool
}

/** Rejects when Postgres does not answer. */
export const ping = async (db: Reader): Promise<void> => {
  await db.one(sql.type(z.object({ ok: z.number() }))`select 1 as ok`)
}
