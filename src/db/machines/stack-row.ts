import { type FragmentSqlToken, sql } from '../sql.ts'

/** A stack's row as a source of one row: looked up for each, where a join might read all of an installation. */
export const stackRow = (installationId: FragmentSqlToken, id: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`(select * from stacks where installation_id = ${installationId} and id = ${id} limit 1)`
