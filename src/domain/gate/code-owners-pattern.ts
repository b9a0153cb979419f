import { matchesParts, matchesText, type Pattern, patternOf } from '#domain/config/wildcard.ts'

/** A pattern of a CODEOWNERS file and its line number. */
export type OwnedPattern = { line: number; pattern: string }

/** No path in git is longer. */
const MAX_CHARS = 4096

/** Why GitHub skips a pattern; undefined if it is valid. */
export const patternProblem = (pattern: string): string | undefined => {
  if (pattern.length > MAX_CHARS) return `the pattern is longer than ${MAX_CHARS} characters`
  if (pattern.startsWith('!')) return `'${pattern}': a pattern cannot be negated with '!'`
  if (pattern.startsWith('\\#')) return `'${pattern}': a pattern cannot begin with '\\#'`
  if (/(?:^|[^\\])(?:\\\\)*[[\]]/.test(pattern)) return `'${pattern}': character ranges in '[ ]' do not work here`
  return /(?:^|[^\\])(?:\\\\)*\\(?:\/|$)/.test(pattern)
    ? `'${pattern}' has a backslash before a '/' or at its end`
    : undefined
}

type Segment = string | Pattern | '**'

/** An anchored pattern without wildcards is plain text, which makes lookups in a large file fast. */
type Shape = { kind: 'path' | 'name'; text: string; below: boolean } | { kind: 'wild'; segments: Segment[] }

const ANY: Pattern = ['*']

const segmentOf = (text: string): Segment | undefined => {
  if (text === '**') return text
  return /[*?[\\]/.test(text) ? patternOf(text) : text
}

/** `foo` and `foo/` are found at any depth, `/foo` and `foo/bar` from the root only. */
const isAnchored = (pattern: string): boolean => pattern.slice(0, -1).includes('/')

/** Undefined if it is unclear which paths are meant. */
const shapeOf = (pattern: string): Shape | undefined => {
  // A pattern that GitHub skips is read as its author meant it, to find the paths that it fails to cover.
  const meant = pattern.replace(/^!|^\\(?=#)/, '')
  const anchored = isAnchored(meant)
  const below = meant.endsWith('/')
  const text = meant.replace(/^\//, '').replace(/\/$/, '')
  if (text !== '' && !/[*?[\\]/.test(text)) return { kind: anchored ? 'path' : 'name', text, below }
  const segments: Segment[] = anchored ? [] : ['**']
  for (const part of text.split('/')) {
    const segment = segmentOf(part)
    if (segment === undefined) return undefined
    segments.push(segment)
  }
  // Everything below a directory: at least one segment more. `docs/*` alone stays within its level.
  const last = text.split('/').at(-1)
  if (last === '**') segments.push(ANY)
  else if (below) segments.push(ANY, '**')
  else if (last !== '*') segments.push('**')
  return { kind: 'wild', segments }
}

const isStar = (segment: Segment): boolean => segment === '**'

const isSame = (segment: Segment, name: string): boolean =>
  typeof segment === 'string' ? segment === name : matchesText(segment, name)

/** The last positions of a text among the patterns: as `text`, and as `text/`, which covers only what is below it. */
type Known = { whole: number; below: number }

const remember = (known: Map<string, Known>, text: string, at: number, below: boolean): void => {
  const place = known.get(text) ?? { whole: -1, below: -1 }
  known.set(text, below ? { ...place, below: at } : { ...place, whole: at })
}

const lastOf = (known: Map<string, Known>, text: string, isWhole: boolean): number => {
  const place = known.get(text)
  if (place === undefined) return -1
  return isWhole ? place.whole : Math.max(place.whole, place.below)
}

/** The last of the plain-text patterns that match a path. */
const literal = (paths: Map<string, Known>, names: Map<string, Known>, segments: readonly string[]): number => {
  let [prefix, last] = ['', -1]
  for (const [at, name] of segments.entries()) {
    const isWhole = at === segments.length - 1
    prefix = at === 0 ? name : `${prefix}/${name}`
    last = Math.max(last, lastOf(paths, prefix, isWhole), lastOf(names, name, isWhole))
  }
  return last
}

/**
 * The last pattern that matches a path, which is the one that counts. Patterns without wildcards are looked up; of the others,
 * only those after the best of them are tried, each at a cost of at most the product of the two lengths: 40,000 lines and 3,000
 * changed paths take a moment.
 */
export const lastMatch = <P extends OwnedPattern>(patterns: readonly P[]): ((path: string) => P | undefined) => {
  const paths = new Map<string, Known>()
  const names = new Map<string, Known>()
  const wild: { at: number; segments: Segment[] }[] = []
  for (const [at, { pattern }] of patterns.entries()) {
    const shape = shapeOf(pattern) ?? { kind: 'wild', segments: ['**'] }
    if (shape.kind === 'wild') wild.push({ at, segments: shape.segments })
    else remember(shape.kind === 'path' ? paths : names, shape.text, at, shape.below)
  }
  wild.reverse()
  return (path) => {
    const segments = path.split('/')
    const known = literal(paths, names, segments)
    const better = wild.find(({ at, segments: wanted }) => at < known || matchesParts(wanted, segments, isStar, isSame))
    return patterns[Math.max(known, better?.at ?? -1)]
  }
}
