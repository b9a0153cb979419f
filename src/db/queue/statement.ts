import { type CustomTypesConfig, type QueryConfig, types } from 'pg'
import type { z } from 'zod'
import { rowTypes } from '../row-types.ts'

/**
 * A statement for the driver itself, as Postgres reads it: `$1` is the first of its values. Each connection plans it once,
 * under its name. The pool's statements are slonik's (sql.ts); the queue runs its own a thousand times a second, so it avoids
 * that cost.
 */
export type Statement<Row> = { name: string; text: string; row: z.ZodType<Row> }

/** As the driver takes it. */
export const queryOf = ({ name, text }: Statement<unknown>, values: readonly unknown[]): QueryConfig => ({
  name,
  text,
  values: [...values],
  types: typeParsers,
})

/** The rows of the result; throws if a row does not fit the statement's schema. */
export const rowsOf = <Row>({ row }: Statement<Row>, { rows }: { rows: readonly unknown[] }): Row[] =>
  rows.map((each) => row.parse(each))

const parsers = new Map(rowTypes.map(({ oid, parse }) => [oid, parse]))

const typeParsers: CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers.get(oid) ?? types.getTypeParser(oid, format),
}
