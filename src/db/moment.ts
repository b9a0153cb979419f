import { type FragmentSqlToken, sql } from './sql.ts'

/** A time as a parameter. */
export const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** A column's time as the API tells it, to the millisecond: for what a statement puts into JSON. */
export const isoText = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A column's time as text to the last digit that Postgres keeps: a Date has three fewer, and a list would show rows twice. */
export const exactly = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A place in a list that is ordered newest first; `at` as `exactly` spells it. */
export type Moment<Id = string> = { at: string; id: Id }
