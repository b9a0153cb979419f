/*
 * Wildcards matched by hand, not by regular expressions made of them: a glob comes from a pull request, and `*a*a*a` between
 * two `**` keeps a backtracking engine busy for minutes. This matcher goes back to the last star only, so a match costs at most
 * the product of the two lengths.
 */

/** Pairs of a glob's characters and a text's that are compared within some 1 ms at worst. */
const STEP_PAIRS = 200_000

/** For who matches many globs: counts pairs that were compared, and says after every so many of them that others should have a turn. */
export const createPairMeter = (): ((globChars: number, textChars: number) => boolean) => {
  let pairs = 0
  return (globChars, textChars) => {
    pairs += globChars * textChars
    if (pairs <= STEP_PAIRS) return false
    pairs = 0
    return true
  }
}

type OneChar = (char: string) => boolean

/** Any number of any characters. */
const STAR = Symbol('*')

/** A text with wildcards: characters that stand for themselves, tests for one, and stars. */
export type Pattern = (string | OneChar | typeof STAR)[]

/** Whether items match parts. A star takes any number of items. */
export const matchesParts = <P>(
  parts: readonly P[],
  items: ArrayLike<string>,
  isAny: (part: P) => boolean,
  isOne: (part: P, item: string) => boolean,
): boolean => {
  let [p, i, star, mark] = [0, 0, -1, 0]
  while (i < items.length) {
    const part = parts[p]
    if (part !== undefined && isAny(part)) {
      star = p
      mark = i
      p += 1
    } else if (part !== undefined && isOne(part, items[i] ?? '')) {
      p += 1
      i += 1
    } else if (star >= 0) {
      mark += 1
      p = star + 1
      i = mark
    } else return false
  }
  return parts.slice(p).every(isAny)
}

export const isStar = (part: Pattern[number]): boolean => part === STAR

export const isOneChar = (part: Pattern[number], char: string): boolean =>
  part === char || (typeof part === 'function' && part(char))

export const matchesText = (pattern: Pattern, text: string): boolean => matchesParts(pattern, text, isStar, isOneChar)

/** `[abc]`, `[a-z]`, `[^a-z]`, from after the opening bracket; undefined if it is not closed or a range is backwards. */
const classAt = (text: string, from: number): { end: number; matches: OneChar } | undefined => {
  const negated = text[from] === '^' || text[from] === '!'
  const first = negated ? from + 1 : from
  const end = text.indexOf(']', first + 1)
  if (end < 0) return undefined
  const ranges: [string, string][] = []
  for (let i = first; i < end; i += 1) {
    const isRange = text[i + 1] === '-' && i + 2 < end
    const [low, high] = [text[i] ?? '', text[isRange ? i + 2 : i] ?? '']
    if (high < low) return undefined
    ranges.push([low, high])
    if (isRange) i += 2
  }
  return { end, matches: (char) => negated !== ranges.some(([low, high]) => char >= low && char <= high) }
}

/** Reads `*`, `?`, `[…]` and `\`; undefined if a bracket is not closed, or nothing follows the last backslash. */
export const patternOf = (text: string): Pattern | undefined => {
  const pattern: Pattern = []
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (char === '*') pattern.push(STAR)
    else if (char === '?') pattern.push(() => true)
    else if (char === '[') {
      const found = classAt(text, i + 1)
      if (found === undefined) return undefined
      pattern.push(found.matches)
      i = found.end
    } else {
      if (char === '\\') i += 1
      const literal = text[i]
      if (literal === undefined) return undefined
      pattern.push(literal)
    }
  }
  return pattern
}
