import type { Paint } from '../output/output.ts'
import { shown, widthOf } from './table.ts'

/** A column of a table of these rows. */
export type Column<Row> = {
  heading: string
  cell(row: Row): string
  /** In which colour a cell is shown. */
  paint?(row: Row): Paint | undefined
  /** Never cut: what is left of an id or a status says nothing. */
  whole?: true
}

export type Look = {
  /** Columns of the terminal; undefined where lines may have any length. */
  width: number | undefined
  paint(style: Paint, text: string): string
}

const GAP = 2

/** A cell of fewer characters shows nothing of use. */
const LEAST = 8

/** Text cut in its middle: of a path the beginning and the end say the most. */
export const cutTo = (text: string, width: number): string => {
  const units = [...text]
  if (units.length <= width) return text
  const end = Math.floor((width - 1) / 2)
  return `${units.slice(0, width - 1 - end).join('')}…${end === 0 ? '' : units.slice(-end).join('')}`
}

/** Widths that fit: as long as the line is too long, the widest column that may be cut gets narrower. */
export const fitted = (wanted: readonly number[], isWhole: readonly boolean[], width: number): number[] => {
  const widths = [...wanted]
  let over = widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width
  for (; over > 0; over -= 1) {
    let widest: number | undefined
    for (const [i, one] of widths.entries())
      if (!isWhole[i] && one > LEAST && (widest === undefined || one > (widths[widest] ?? 0))) widest = i
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** Rows in columns that fit a terminal. A column in which every cell is empty is left out. */
export const fittedTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint }: Look,
): string => {
  const kept = columns.filter(({ cell }) => rows.some((row) => cell(row) !== ''))
  const cells = rows.map((row) => kept.map(({ cell }) => shown(cell(row))))
  const wanted = kept.map(({ heading }, i) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), widthOf(heading)),
  )
  const isWhole = kept.map(({ whole }) => whole === true)
  const widths = width === undefined ? wanted : fitted(wanted, isWhole, width)
  const line = (texts: readonly string[], paints: readonly (Paint | undefined)[]): string => {
    const parts = texts.map((text, i) => {
      const cut = cutTo(text, widths[i] ?? 0)
      const style = paints[i]
      const padding = i === texts.length - 1 ? '' : ' '.repeat((widths[i] ?? 0) - widthOf(cut))
      return (style === undefined || cut === '' ? cut : paint(style, cut)) + padding
    })
    return `${parts.join(' '.repeat(GAP)).trimEnd()}\n`
  }
  const head = line(
    kept.map(({ heading }) => heading),
    kept.map(() => 'bold'),
  )
  return (
    head +
    rows
      .map((row, r) =>
        line(
          cells[r] ?? [],
          kept.map((column) => column.paint?.(row)),
        ),
      )
      .join('')
  )
}
