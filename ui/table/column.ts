import type { ReactNode } from 'react'

/** A column of a table. */
export type Column<R> = {
  id: string
  head: string
  cell(row: R): ReactNode
  /** What it is sorted by; a column without cannot be. */
  sortBy?: (row: R) => string | number | undefined
  /** `number` stands to the right, `wide` takes what is left, `no-phone` is left out on phones. */
  className?: string
}
