import { type CommonQueryMethods, createSqlTag, type DatabasePool, type DatabaseTransactionConnection } from 'slonik'

/** The one way to write SQL: values are always parameters, and every row is checked by a zod schema (`sql.type`). */
export const sql = createSqlTag()

export type Pool = DatabasePool

/** An open transaction: the first argument of everything that writes. */
export type Tx = DatabaseTransactionConnection

/** A transaction, or the pool itself where a single read needs none. */
export type Reader = CommonQueryMethods
