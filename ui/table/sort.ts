/** What rows are sorted by: `-` in front for the last first. */
export type Sort = string | undefined

export const isDescending = (sort: Sort): boolean => sort?.startsWith('-') ?? false

/** The column's id. */
export const columnOf = (sort: Sort): string | undefined => sort?.replace(/^-/, '')

/** After a click on a column's head: the first first, then the last first, then as they came. */
export const nextSort = (sort: Sort, column: string): Sort => {
  if (columnOf(sort) !== column) return column
  return isDescending(sort) ? undefined : `-${column}`
}

type Value = string | number

const collator = new Intl.Collator('en', { numeric: true })

const compared = (a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** A sorted copy; rows that are equal stay in their order. What has no value comes last either way. */
export const sorted = <R>(rows: readonly R[], by: (row: R) => Value | undefined, descending: boolean): R[] => {
  const keyed = rows.map((row) => ({ row, value: by(row) }))
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined)
      return Number(a.value === undefined) - Number(b.value === undefined)
    return descending ? compared(b.value, a.value) : compared(a.value, b.value)
  })
  return keyed.map(({ row }) => row)
}
