import { type FragmentSqlToken, sql } from '../sql.ts'

/**
 * Says again, of rows that are found by the ids of their runs, between which ids these are. Tables are divided by months, which are
 * ranges of ids: by two values Postgres leaves out the other months before it runs a prepared statement; by a list or a
 * join it opens every month.
 */
export const betweenRuns = (column: FragmentSqlToken, runIds: readonly string[]): FragmentSqlToken => {
  const [first = nobody, ...others] = runIds.map((id) => id.toLowerCase())
  const lowest = others.reduce((id, other) => (other < id ? other : id), first)
  const highest = others.reduce((id, other) => (other > id ? other : id), first)
  return sql.fragment`${column} between ${lowest}::uuid and ${highest}::uuid`
}

const nobody = '00000000-0000-0000-0000-000000000000'
