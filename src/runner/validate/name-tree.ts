import { isLiteral } from '#domain/config/glob.ts'
import { nearest } from '#domain/edit-distance.ts'
import { limits } from '#domain/limits.ts'

/** Names by the directory that they are in. */
type Level = Map<string, Level>

export type NameTree = {
  /** Whether a path, of a file or of a directory above one, is there. */
  has: (path: string) => boolean
  /** The glob or path with those of its names that are nowhere replaced by near ones; undefined if none is near. */
  nearest: (glob: string) => string | undefined
}

/** Names that are compared for suggestions, of all of them: some 100 ns each. A typo is one line of a file, not a thousand. */
const MOST_COMPARED = 1_000_000

/** Longer names are nobody's slip. */
const MAX_CHARS = 100

const levelOf = (paths: Iterable<string>): Level => {
  const top: Level = new Map()
  for (const path of paths) {
    // of a path that no checkout can have, each name would take some 400 bytes
    if (path.length > limits.pathChars) continue
    let at = top
    for (const name of path.split('/')) {
      const below = at.get(name) ?? new Map()
      at.set(name, below)
      at = below
    }
  }
  return top
}

/** The names that one segment of a glob may stand for, among which a misspelt one is looked for. */
const below = (levels: readonly Level[], segment: string): Level[] =>
  isLiteral(segment)
    ? levels.flatMap((level) => level.get(segment) ?? [])
    : levels.flatMap((level) => [...level.values()])

const withAllBelow = (levels: readonly Level[]): Level[] => {
  const all = new Set(levels)
  for (const level of all) for (const next of level.values()) all.add(next)
  return [...all]
}

/** Paths as a tree of names, in which what a misspelt glob may mean is found segment by segment. */
export const nameTree = (paths: Iterable<string>): NameTree => {
  const top = levelOf(paths)
  let compared = 0

  const nearestAmong = (levels: readonly Level[], segment: string): string | undefined => {
    const names = new Set(levels.flatMap((level) => [...level.keys()].filter(({ length }) => length <= MAX_CHARS)))
    compared += names.size
    return compared > MOST_COMPARED ? undefined : nearest(segment, [...names])
  }

  const repaired = (glob: string): string | undefined => {
    const segments = glob.split('/')
    let at: Level[] = [top]
    for (const [i, segment] of segments.entries()) {
      if (segment === '' || segment === '.') continue
      let next = segment === '**' ? withAllBelow(at) : below(at, segment)
      compared += next.length
      if (next.length === 0) {
        const name = isLiteral(segment) ? nearestAmong(at, segment) : undefined
        if (name === undefined) return undefined
        segments[i] = name
        next = below(at, name)
      }
      if (compared > MOST_COMPARED) return undefined
      at = next
    }
    const found = segments.join('/')
    return found === glob ? undefined : found
  }

  return {
    has: (path) =>
      path === '.' || path.split('/').reduce<Level | undefined>((at, name) => at?.get(name), top) !== undefined,
    nearest: (glob) => (compared > MOST_COMPARED ? undefined : repaired(glob)),
  }
}
