import { Icon } from '../parts/Icon.tsx'
import type { Column } from './column.ts'
import { columnOf, isDescending, nextSort, type Sort } from './sort.ts'

type HeadProps<R> = { column: Column<R>; sort: Sort; onSort: ((sort: Sort) => void) | undefined }

/** The head of a column: a button where rows can be sorted by it. */
export const Head = <R,>({ column, sort, onSort }: HeadProps<R>) => {
  const { id, head, sortBy, className } = column
  const isSorted = columnOf(sort) === id
  if (!sortBy || !onSort) {
    return (
      <th scope="col" className={className}>
        {head}
      </th>
    )
  }
  const direction = isDescending(sort) ? 'descending' : 'ascending'
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : 'none'}>
      <button type="button" className="table-sort" onClick={() => onSort(nextSort(sort, id))}>
        {head}
        {isSorted && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
      </button>
    </th>
  )
}
