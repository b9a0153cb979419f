import { type FragmentSqlToken, sql } from '../sql.ts'

/** The directory of a row `s` of `run_stacks`, as `path`: kept only where it is not the stack's key. */
export const runStackPath = (s: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`coalesce(${s}.path, ${s}.key) as path`
