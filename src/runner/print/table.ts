/** In characters, and not in halves of them. */
export const widthOf = (text: string): number => [...text].length

/** Control characters are shown, not sent to a terminal: names in a repository may hold them, and a terminal obeys them. */
export const shown = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')

/**
 * A column is made no wider than this: each of its cells is filled up to the widest, so that 16,000 rows with one cell of 16,000 characters took
 * 190 ms, and four times as much sixteen times as long. What follows a longer cell is out of its column.
 */
const MAX_COLUMN_CHARS = 200

/** Rows in columns two spaces apart; the first row is the head. */
export const printTable = (rows: readonly (readonly string[])[]): string => {
  const safe = rows.map((row) => row.map(shown))
  // not by one call of Math.max: a call takes only so many arguments, and a table has more rows
  const widths: number[] = []
  for (const row of safe)
    for (const [i, cell] of row.entries())
      widths[i] = Math.max(widths[i] ?? 0, Math.min(widthOf(cell), MAX_COLUMN_CHARS))
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - widthOf(cell)))).join('  ')
  return safe.map((row) => `${line(row).trimEnd()}\n`).join('')
}
