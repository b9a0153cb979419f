const width = (text: string): number => [...text].length

/** Rows in columns two spaces apart; the first row is the head. Control characters are shown, not sent to a terminal. */
export const printTable = (rows: readonly (readonly string[])[]): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names in a repository may hold them, and a terminal obeys them
  const shown = rows.map((row) => row.map((cell) => cell.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')))
  const columns = Math.max(0, ...shown.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...shown.map((row) => width(row[i] ?? ''))))
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - width(cell))).join('  ')
  return shown.map((row) => `${line(row).trimEnd()}\n`).join('')
}
