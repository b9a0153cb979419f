import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { Column } from './column.ts'
import { Head } from './Head.tsx'
import { moved } from './moves.ts'
import { columnOf, isDescending, type Sort, sorted } from './sort.ts'
import { useDrawnRows } from './useDrawnRows.ts'
import './table.css'

type TableProps<R> = {
  /** What the rows are: 'Runs'. */
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  keyOf(row: R): string
  /** Of the address: so a reload shows the same. Without `onSort` the rows stay as they come. */
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** What Enter and a click on a row do. */
  open?: (row: R) => void
  isSelected?: (row: R) => boolean
}

/**
 * Rows of one height, of which only those in view are drawn. One stop for the tab key: arrows, `j` and `k` move between rows, Enter
 * opens one.
 */
export const Table = <R,>({ label, columns, rows, keyOf, sort, onSort, open, isSelected }: TableProps<R>) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const shown = useMemo(() => {
    const column = columns.find(({ id }) => id === columnOf(sort))
    return column?.sortBy ? sorted(rows, column.sortBy, isDescending(sort)) : rows
  }, [rows, columns, sort])
  const { from, to, row: height } = useDrawnRows(body, shown.length)
  const [active, setActive] = useState<{ key: string; at: number }>()
  const current = placeOf(active, shown, keyOf)

  const activate = (at: number): void => {
    const row = shown[at]
    if (row !== undefined) setActive({ key: keyOf(row), at })
  }
  const move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const focused = shown[current]
    const isRow = event.target instanceof HTMLTableRowElement
    if (event.key === 'Enter' && open && focused !== undefined && isRow) {
      // or what is opened and takes the focus would have the Enter too: a dialog would be closed by it
      event.preventDefault()
      open(focused)
    }
    const next = moved(event.key, current, shown.length, Math.floor(innerHeight / height) - 2)
    if (next === undefined) return
    event.preventDefault()
    activate(next)
    focusRow(body.current, next, height)
  }

  const drawn = shown.slice(from, to)
  // a row that is drawn: the page may be scrolled away from the current one
  const stop = Math.max(from, Math.min(current, to - 1))
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus, which makes it a grid */}
      <table className="table" role="grid" aria-label={label} aria-rowcount={shown.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={move}>
          <Gap rows={from} height={height} columns={columns.length} />
          {drawn.map((row, at) => (
            <tr
              key={keyOf(row)}
              data-row={from + at}
              data-key={keyOf(row)}
              aria-rowindex={from + at + 2}
              aria-selected={isSelected?.(row)}
              tabIndex={from + at === stop ? 0 : -1}
              className={open && 'table-opens'}
              onFocus={() => activate(from + at)}
              onClick={(event) => !(event.target as Element).closest('a, button') && open?.(row)}
            >
              {columns.map(({ id, cell, className }) => (
                <td key={id} className={className}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={shown.length - to} height={height} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** Where the active row is now, since rows come and go while it has the focus; where it was, if it is gone. */
const placeOf = <R,>(
  active: { key: string; at: number } | undefined,
  rows: readonly R[],
  keyOf: (row: R) => string,
): number => {
  if (active === undefined) return 0
  const { key, at } = active
  const before = rows[at]
  if (before !== undefined && keyOf(before) === key) return at
  const now = rows.findIndex((row) => keyOf(row) === key)
  return now >= 0 ? now : Math.min(at, Math.max(0, rows.length - 1))
}

/** In the place of rows that are not drawn. */
const Gap = ({ rows, height, columns }: { rows: number; height: number; columns: number }) =>
  rows <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this row takes no focus
    <tr aria-hidden="true" className="table-gap">
      <td colSpan={columns} style={{ height: rows * height }} />
    </tr>
  )

/** A row that is not drawn yet is, once the page is scrolled to where it will be. */
const focusRow = (body: HTMLElement | null, at: number, height: number): void => {
  const find = (): HTMLElement | undefined => body?.querySelector<HTMLElement>(`[data-row="${at}"]`) ?? undefined
  if (!find()) scrollTo({ top: (body?.getBoundingClientRect().top ?? 0) + scrollY + at * height - innerHeight / 2 })
  requestAnimationFrame(() => {
    find()?.focus({ preventScroll: true })
    find()?.scrollIntoView({ block: 'nearest' })
  })
}
