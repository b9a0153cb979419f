import { matchesParts, matchesText, type Pattern, patternOf } from './wildcard.ts'

/*
 * Globs over repository-relative paths, as configuration files write them: `*` and `?` within a segment, a segment `**` for any
 * number of them, `[…]`, `{a,b}` and `\`; hidden files count like others; `dir/` means everything below it. `**` may match
 * nothing: `a/**` matches the directory `a` itself.
 */

export type PathMatcher = (path: string) => boolean

type Segments = (Pattern | '**')[]

const MAX_CHARS = 300
/** Of `{a,b}{c,d}…`, which is written out: 64 alternatives of a long glob would be as much work as 64 long globs. */
const MAX_ALTERNATIVES = 64
const MAX_WRITTEN_OUT = 1500

const clean = (glob: string): string => {
  const path = glob.replace(/^(\.\/)+(?=.)/, '')
  return path.endsWith('/') ? `${path}**` : path
}

/** The first group of braces: where it opens and closes, and its parts; 'open' if it is not closed. */
const firstBraces = (glob: string): { from: number; to: number; parts: string[] } | 'open' | undefined => {
  let [depth, from, start] = [0, 0, 0]
  const parts: string[] = []
  for (let i = 0; i < glob.length; i += 1) {
    const char = glob[i]
    if (char === '\\') i += 1
    else if (char === '{') {
      depth += 1
      if (depth === 1) [from, start] = [i, i + 1]
    } else if (char === '}' && depth === 0) return 'open'
    else if (depth === 1 && (char === ',' || char === '}')) {
      parts.push(glob.slice(start, i))
      start = i + 1
      if (char === '}') return { from, to: i, parts }
    } else if (char === '}') depth -= 1
  }
  return depth > 0 ? 'open' : undefined
}

/** Writes braces out; undefined if they are not closed or expand to too much. */
const alternativesOf = (glob: string): string[] | undefined => {
  // each pair of braces copies the whole of it once
  if (glob.length > MAX_WRITTEN_OUT) return undefined
  const done: string[] = []
  const queue = [glob]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const braces = firstBraces(next)
    if (braces === 'open' || done.length + queue.length > MAX_ALTERNATIVES) return undefined
    if (braces === undefined) done.push(next)
    else for (const part of braces.parts) queue.push(next.slice(0, braces.from) + part + next.slice(braces.to + 1))
  }
  const chars = done.reduce((sum, one) => sum + one.length, 0)
  return done.length > MAX_ALTERNATIVES || chars > MAX_WRITTEN_OUT ? undefined : done
}

const segmentsOf = (glob: string): Segments | undefined => {
  const segments: Segments = []
  for (const segment of glob.split('/')) {
    const pattern = segment === '**' ? segment : patternOf(segment)
    if (pattern === undefined) return undefined
    segments.push(pattern)
  }
  return segments
}

const parse = (glob: string): Segments[] | undefined => {
  const parsed = alternativesOf(clean(glob))?.map(segmentsOf)
  return parsed?.every((segments) => segments !== undefined) ? parsed : undefined
}

/** Why a glob is refused; undefined if it is valid. */
export const globProblem = (glob: string): string | undefined => {
  if (glob.trim() === '') return 'is empty'
  if (glob.length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`
  if (glob.startsWith('!'))
    return `'${glob}' starts with '!': globs only include; use discover.exclude or a narrower glob`
  if (glob.startsWith('/')) return `'${glob}' starts with '/': paths are relative to the repository's root`
  if (glob.split('/').includes('..')) return `'${glob}' has a '..' segment: paths are relative to the repository's root`
  if (parse(glob) === undefined)
    return `'${glob}' has a bracket that is not closed, or braces for more than ${MAX_ALTERNATIVES} globs (or ${MAX_WRITTEN_OUT} characters)`
  return undefined
}

const SPECIAL = /[*?[\]{}\\]/

export const isLiteral = (glob: string): boolean => !SPECIAL.test(glob) && !glob.endsWith('/')

/** A text that a glob takes for itself. */
export const escapedForGlob = (text: string): string => text.replaceAll(/[*?[\]{}\\]/g, '\\$&')

/** The directory that contains everything the glob matches, '' for the root. It makes a cheap first test possible. */
export const globBase = (glob: string): string => {
  const segments = clean(glob).split('/')
  const first = segments.findIndex((segment) => SPECIAL.test(segment))
  return segments.slice(0, Math.max(0, first)).join('/')
}

/** Where a glob's paths are: the path itself of one without wildcards, which may be written from `./` on, or else the base. */
export const globPlace = (glob: string): string => (isLiteral(glob) ? clean(glob) : globBase(glob))

const isAny = (segment: Pattern | '**'): boolean => segment === '**'

const matchesPath = (segments: Segments, path: readonly string[]): boolean =>
  matchesParts(segments, path, isAny, (segment, name) => segment !== '**' && matchesText(segment, name))

/**
 * A glob as a predicate; an invalid one matches nothing. The root directory `.` has no segments: `**` matches it, `*` does not.
 */
export const compileGlob = (glob: string): PathMatcher => {
  const pattern = clean(glob)
  if (isLiteral(pattern)) return (path) => path === pattern
  // only once it is asked: a file may have thousands, and of most stacks only a few are tried
  let alternatives: Segments[] | undefined
  return (path) => {
    alternatives ??= parse(glob) ?? []
    const segments = path === '.' ? [] : path.split('/')
    return alternatives.some((one) => matchesPath(one, segments))
  }
}

/** Matches what any of the globs matches. */
export const compileGlobs = (globs: readonly string[]): PathMatcher => {
  if (globs.includes('**')) return () => true
  const matchers = globs.map(compileGlob)
  return (path) => matchers.some((matches) => matches(path))
}
