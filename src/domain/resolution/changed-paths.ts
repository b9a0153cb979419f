import { compileGlob, globBase, isLiteral } from '#domain/config/glob.ts'
import { isInside, repositoryPath } from '../keys.ts'

/** The directory a path is in, `.` for one at the root; undefined above the root. */
export const parentOf = (path: string): string | undefined => {
  if (path === '.') return undefined
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash)
}

/** The paths and every directory above each: everything that contains one of these paths is in the set. */
export const touchedBy = (paths: readonly string[]): Set<string> => {
  const touched = new Set<string>()
  for (const path of paths) {
    for (let at: string | undefined = path; at !== undefined && !touched.has(at); at = parentOf(at)) touched.add(at)
  }
  return touched
}

/**
 * Which of the changed paths a watch path (a file, a directory or a glob) matches. Results are kept: many stacks watch the same
 * few files. A glob is tried only if something changed below the directory that it starts with.
 */
export const watcherOf = (paths: readonly string[], touched: ReadonlySet<string>) => {
  const known = new Map<string, readonly string[]>()
  const look = (watched: string): readonly string[] => {
    if (isLiteral(watched.replace(/\/$/, ''))) {
      const path = repositoryPath(watched)
      return path !== undefined && touched.has(path) ? paths.filter((one) => isInside(one, path)) : []
    }
    const base = globBase(watched)
    return base === '' || touched.has(base) ? paths.filter(compileGlob(watched)) : []
  }
  return (watched: string): readonly string[] => {
    const before = known.get(watched)
    if (before !== undefined) return before
    const found = look(watched)
    known.set(watched, found)
    return found
  }
}
