import { DatabaseError } from 'pg'
import { InvalidInputError } from 'slonik'
import type { TableName } from './moved-tables.ts'

/** Rows of a file that the database does not take: since it has them already, or since they are no rows of the table. */
export class RefusedRows extends Error {
  readonly areThere: boolean

  constructor(table: TableName, reason: string, areThere: boolean, cause: unknown) {
    super(`${table}: ${reason}`, { cause })
    this.areThere = areThere
  }
}

const isThere = '23505'

/** The same failure, told from those of the database itself (PostgreSQL, 'Error Codes': 22 is for values, 23 for constraints). */
export const refusalOf = (table: TableName, error: unknown): unknown => {
  if (error instanceof InvalidInputError) return new RefusedRows(table, error.message, false, error)
  const cause = error instanceof Error ? (error.cause ?? error) : undefined
  if (!(cause instanceof DatabaseError) || !/^2[23]/.test(cause.code ?? '')) return error
  return new RefusedRows(table, cause.detail ?? cause.message, cause.code === isThere, error)
}
