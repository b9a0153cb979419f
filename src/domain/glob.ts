import picomatch from 'picomatch'

/*
 * Globs over repository-relative paths, as configuration files write them: `*` within a segment, `**` across segments, `?`,
 * `[…]` and `{a,b}`; hidden files count like others; `dir/` means everything below it. Extended globs are off and
 * wildcards are counted: they come from pull requests, and a backtracking match must not become a way to stop the service.
 */

export type PathMatcher = (path: string) => boolean

const MAX_CHARS = 300
const MAX_STARS_IN_SEGMENT = 3
const MAX_GLOBSTARS = 4
const OPTIONS = { dot: true, noextglob: true, nonegate: true } as const

const stars = (segment: string): number => segment.split('*').length - 1

const isBalanced = (glob: string, open: string, close: string): boolean => {
  let depth = 0
  for (const char of glob.replaceAll(/\\./g, '')) {
    if (char === open) depth += 1
    if (char === close) depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** Why a glob is refused; undefined when it is good. */
export const globProblem = (glob: string): string | undefined => {
  if (glob.trim() === '') return 'is empty'
  if (glob.length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`
  if (glob.startsWith('!'))
    return `'${glob}' starts with '!': globs only include; use discover.exclude or a narrower glob`
  if (glob.startsWith('/')) return `'${glob}' starts with '/': paths are relative to the repository's root`
  const segments = glob.split('/')
  if (segments.includes('..')) return `'${glob}' has a '..' segment: paths are relative to the repository's root`
  if (!isBalanced(glob, '{', '}') || !isBalanced(glob, '[', ']')) return `'${glob}' has a bracket that is not closed`
  if (segments.filter((segment) => segment.includes('**')).length > MAX_GLOBSTARS)
    return `'${glob}' has more than ${MAX_GLOBSTARS} '**'`
  if (segments.some((segment) => segment !== '**' && stars(segment) > MAX_STARS_IN_SEGMENT))
    return `'${glob}' has more than ${MAX_STARS_IN_SEGMENT} '*' in one segment`
  return undefined
}

const clean = (glob: string): string => {
  const path = glob.replace(/^(\.\/)+(?=.)/, '')
  return path.endsWith('/') ? `${path}**` : path
}

export const isLiteral = (glob: string): boolean => !/[*?[\]{}\\]|\/$/.test(glob)

/** The directory that everything the glob matches is in, '' for the root: what makes a cheap first look possible. */
export const globBase = (glob: string): string => {
  const { base, isGlob } = picomatch.scan(clean(glob), OPTIONS)
  return isGlob ? base : ''
}

/** A glob as a predicate. The root directory `.` has no segments: only `.` and `**` match it. */
export const compileGlob = (glob: string): PathMatcher => {
  const pattern = clean(glob)
  if (isLiteral(pattern)) return (path) => path === pattern
  const matches = picomatch(pattern, OPTIONS)
  return (path) => (path === '.' ? pattern === '**' : matches(path))
}

/** Matches what any of the globs matches. */
export const compileGlobs = (globs: readonly string[]): PathMatcher => {
  if (globs.includes('**')) return () => true
  const matchers = globs.map(compileGlob)
  return (path) => matchers.some((matches) => matches(path))
}
