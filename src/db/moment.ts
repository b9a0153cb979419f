import { type FragmentSqlToken, sql } from './sql.ts'

/** A column's time as text to the last digit that Postgres keeps: a Date has three fewer, and a list would show rows twice. */
export const exactly = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A place in a list that is ordered newest first; `at` as `exactly` spells it. */
export type Moment<Id = string> = { at: string; id: Id }
