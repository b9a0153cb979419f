/** Where a text was found: the line, counted from 0, and the first and the last character but one of it. */
export type Match = { line: number; from: number; to: number }

/** Whatever the case. */
const patternOf = (query: string): RegExp => new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')

/** More than these nobody steps through, and a letter alone would find 100,000 in 2 MB. */
export const mostMatches = 10_000

/** Every place of a text in lines, from the first on, and no more than `mostMatches`. */
export const findIn = (lines: readonly string[], query: string): Match[] => {
  if (query === '') return []
  const pattern = patternOf(query)
  const found: Match[] = []
  for (const [line, text] of lines.entries()) {
    for (const match of text.matchAll(pattern)) {
      found.push({ line, from: match.index, to: match.index + match[0].length })
      if (found.length === mostMatches) return found
    }
  }
  return found
}

/** The first match at a line or after it, as an index; the first of all where there is none. */
export const firstFrom = (matches: readonly Match[], line: number): number => {
  let [low, high] = [0, matches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((matches[middle]?.line ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low === matches.length ? 0 : low
}

/** How many are in lines `from` up to `to`, without that. */
export const countIn = (matches: readonly Match[], from: number, to: number): number => {
  const behind = (line: number): number => {
    const at = firstFrom(matches, line)
    return at === 0 && (matches[0]?.line ?? 0) < line ? matches.length : at
  }
  return matches.length === 0 ? 0 : behind(to) - behind(from)
}

export type Piece = { text: string; match?: number }

/** A line in pieces, those that were found with their index among all matches. */
export const piecesOf = (text: string, line: number, matches: readonly Match[]): Piece[] => {
  const first = firstFrom(matches, line)
  if (matches[first]?.line !== line) return [{ text }]
  const pieces: Piece[] = []
  let at = 0
  for (let index = first; matches[index]?.line === line; index += 1) {
    const { from, to } = matches[index] ?? { from: at, to: at }
    if (from > at) pieces.push({ text: text.slice(at, from) })
    pieces.push({ text: text.slice(from, to), match: index })
    at = to
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}
