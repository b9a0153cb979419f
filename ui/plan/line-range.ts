/** Lines that an address names, counted from 1; one line is from itself to itself. */
export type LineRange = { first: number; last: number }

/** `L120-L140`, `L52`, with or without a `#`. Undefined for anything else. */
export const readRange = (hash: string): LineRange | undefined => {
  const [, a, b = a] = /^#?L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?$/.exec(hash) ?? []
  if (a === undefined || b === undefined) return undefined
  return { first: Math.min(Number(a), Number(b)), last: Math.max(Number(a), Number(b)) }
}

/** As `readRange` reads it, without the `#`. */
export const writeRange = ({ first, last }: LineRange): string => (first === last ? `L${first}` : `L${first}-L${last}`)

/** After a click on a line's number: that line, or, with the shift key, all from the one that was chosen before. */
export const choose = (line: number, before: LineRange | undefined, isExtended: boolean): LineRange => {
  if (!isExtended || before === undefined) return { first: line, last: line }
  const start = line < before.first ? before.last : before.first
  return { first: Math.min(start, line), last: Math.max(start, line) }
}

export const isWithin = (line: number, range: LineRange | undefined): boolean =>
  range !== undefined && line >= range.first && line <= range.last
