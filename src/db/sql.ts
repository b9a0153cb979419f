import {
  type CommonQueryMethods,
  createSqlTag,
  type DatabasePool,
  type DatabaseTransactionConnection,
  type FragmentSqlToken,
} from 'slonik'

export type { FragmentSqlToken }

/** The one way to write SQL: values are always parameters, and every row is checked by a zod schema (`sql.type`). */
export const sql = createSqlTag()

export type Pool = DatabasePool

/** An open transaction: the first argument of everything that writes. */
export type Tx = DatabaseTransactionConnection

/** A transaction, or the pool itself where a single read needs none. */
export type Reader = CommonQueryMethods

/** Whatever can be asked for rows. */
export type RowSource = Pick<Reader, 'any'>

/**
 * Many rows as one parameter, for `jsonb_to_recordset(…) as t("field" type, …)`: in Node a third of the work of an array a
 * column (unnest), whose texts are escaped one by one, and in Postgres about the same. Dates become ISO texts, absent is null.
 */
export const jsonRows = (rows: readonly object[]): FragmentSqlToken => sql.fragment`${JSON.stringify(rows)}::jsonb`
