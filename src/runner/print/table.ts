const width = (text: string): number => [...text].length

/** Control characters are shown, not sent to a terminal: names in a repository may hold them, and a terminal obeys them. */
export const shown = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')

/** Rows in columns two spaces apart; the first row is the head. */
export const printTable = (rows: readonly (readonly string[])[]): string => {
  const safe = rows.map((row) => row.map(shown))
  const columns = Math.max(0, ...safe.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...safe.map((row) => width(row[i] ?? ''))))
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - width(cell))).join('  ')
  return safe.map((row) => `${line(row).trimEnd()}\n`).join('')
}
