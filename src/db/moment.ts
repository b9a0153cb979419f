import { z } from 'zod'
import { type FragmentSqlToken, type Reader, sql } from './sql.ts'

/** A time as a parameter. */
export const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** A column's time as the API writes it, to the millisecond: for JSON made by a statement. */
export const isoText = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * A column's time as text to the last digit that Postgres keeps: a Date has three digits less, and a list would show rows
 * twice.
 */
export const exactly = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A place in a list ordered newest first; `at` as `exactly` spells it. */
export type Moment<Id = string> = { at: string; id: Id }

const AtRow = z.object({ at: z.date() })

/**
 * The time by the database, in milliseconds. Facts from the code host are stamped with the time they were asked for, and the
 * clocks of two instances may differ by more than the time between two pushes.
 */
export const timeOfDatabase = async (db: Reader): Promise<Date> => {
  const { at } = await db.one(sql.type(AtRow)`
    select date_trunc('milliseconds', clock_timestamp()) as at`)
  return at
}
