import { limits } from '#domain/limits.ts'

/*
 * Where symbolic links lead. A path is followed as an operating system does: segment by segment, a link's target in the directory
 * that holds the link, and through no more links than Linux follows. So a link to `.` has as many names as one likes, and each of
 * them is followed in bounded time; nothing here ever lists what is below a link.
 */

/** Where a path leads: to another path, past these links; or out of the repository; or in a circle. */
export type Followed = { path: string; past: readonly string[] } | 'outward' | 'circle'

export type Links = {
  /** Links with their targets as written. */
  all: ReadonlyMap<string, string>
  follow: (path: string) => Followed
  /** The path that a path leads to; itself if it leads nowhere. */
  real: (path: string) => string
}

/** As Linux. */
const MAX_LINKS = 40

const follow = (path: string, all: ReadonlyMap<string, string>): Followed => {
  if (path.length > limits.pathChars) return { path, past: [] }
  const past: string[] = []
  const left = path.split('/').reverse()
  let at = ''
  for (let segment = left.pop(); segment !== undefined; segment = left.pop()) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      if (at === '') return 'outward'
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
      continue
    }
    const next = at === '' ? segment : `${at}/${segment}`
    const target = all.get(next)
    if (target === undefined) at = next
    else if (target.startsWith('/') || target.length > limits.pathChars) return 'outward'
    else {
      past.push(next)
      if (past.length > MAX_LINKS) return 'circle'
      for (const one of target.split('/').reverse()) left.push(one)
    }
  }
  return { path: at === '' ? '.' : at, past }
}

/** Follows the links of a tree, which are given with their targets. */
export const linksOf = (all: ReadonlyMap<string, string>): Links => {
  const followed = (path: string): Followed => (all.size === 0 ? { path, past: [] } : follow(path, all))
  return {
    all,
    follow: followed,
    real: (path) => {
      if (all.size === 0) return path
      const found = followed(path)
      return typeof found === 'string' ? path : found.path
    },
  }
}
