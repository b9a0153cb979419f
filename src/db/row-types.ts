import { type QueryResultRow, type QuerySqlToken, SchemaValidationError } from 'slonik'

const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
}

/** Types that the driver's defaults do not suit: 8-byte integers are numbers here, times are dates. */
export const rowTypes = [
  { name: 'int8', oid: 20, parse: safeInteger },
  { name: 'timestamptz', oid: 1184, parse: (text: string) => new Date(text) },
]

/**
 * The row, checked against the schema of its statement; throws if it does not fit. Zod checks synchronously, so nothing waits.
 */
export const checkedRow = (
  { parser, ...query }: Pick<QuerySqlToken, 'parser' | 'sql' | 'values'>,
  row: QueryResultRow,
): QueryResultRow => {
  const checked = parser['~standard'].validate(row)
  if (checked instanceof Promise) throw new TypeError('a row schema must not check asynchronously')
  if (checked.issues) throw new SchemaValidationError(query, row, checked.issues)
  return checked.value as QueryResultRow
}
