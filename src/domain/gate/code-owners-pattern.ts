import { limits } from '../limits.ts'

/** A pattern of a CODEOWNERS file and its line number. */
export type OwnedPattern = { line: number; pattern: string }

/** Why GitHub skips a pattern; undefined if it is valid. */
export const patternProblem = (pattern: string): string | undefined => {
  if (pattern.length > limits.pathChars) return `the pattern is longer than ${limits.pathChars} characters`
  if (pattern.startsWith('!')) return `'${pattern}': a pattern cannot be negated with '!'`
  if (pattern.startsWith('\\#')) return `'${pattern}': a pattern cannot begin with '\\#'`
  if (/(?:^|[^\\])(?:\\\\)*[[\]]/.test(pattern)) return `'${pattern}': character ranges in '[ ]' do not work here`
  return /(?:^|[^\\])(?:\\\\)*\\(?:\/|$)/.test(pattern)
    ? `'${pattern}' has a backslash before a '/' or at its end`
    : undefined
}

const isWild = (text: string): boolean => /[*?[\\]/.test(text)

/** `foo` and `foo/` are found at any depth, `/foo` and `foo/bar` from the root only. */
const isAnchored = (pattern: string): boolean => pattern.slice(0, -1).includes('/')

/** What a pattern says of each segment of a path: its text, wildcards, or `**` for any number of segments. */
export type Segment = { kind: 'text' | 'wild'; text: string } | { kind: 'any' }

const ANY: Segment = { kind: 'any' }
const ONE: Segment = { kind: 'wild', text: '*' }

/** `**` after `**` says nothing more; a thousand of them in a row would cost a million looks at each path. */
const isNews = ({ kind }: Segment, at: number, all: readonly Segment[]): boolean =>
  kind !== 'any' || all[at - 1]?.kind !== 'any'

/**
 * The segments of a pattern. A pattern that GitHub skips is read as its author meant it, to find the paths that it fails to
 * cover.
 */
export const segmentsOf = (pattern: string): Segment[] => allSegmentsOf(pattern).filter(isNews)

const allSegmentsOf = (pattern: string): Segment[] => {
  const meant = pattern.replace(/^!|^\\(?=#)/, '')
  const below = meant.endsWith('/')
  const parts = meant.replace(/^\//, '').replace(/\/$/, '').split('/')
  const segments = parts.map((text): Segment => (text === '**' ? ANY : { kind: isWild(text) ? 'wild' : 'text', text }))
  const start = isAnchored(meant) ? [] : [ANY]
  // Everything below a directory: at least one segment more. `docs/*` alone stays within its level.
  const last = parts.at(-1)
  if (last === '**') return [...start, ...segments, ONE]
  if (below) return [...start, ...segments, ONE, ANY]
  return [...start, ...segments, ...(last === '*' ? [] : [ANY])]
}
