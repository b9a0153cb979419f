import { compileGlob, globProblem } from '#domain/config/glob.ts'
import { createPairMeter } from '../config/wildcard.ts'
import { parseStackKey, tagIn } from '../keys.ts'
import type { Steps } from '../steps.ts'

/** The stacks that a command names, in the given order, and each of its words that names none, with the reason. */
export type KeySelection = { keys: string[]; unmatched: { glob: string; why: string }[] }

const tooMany = 'is one glob too many for so many stacks: use fewer globs, or name stacks by their keys'

const noTags: ReadonlyMap<string, readonly string[]> = new Map()

/** Whether a word may mean a tag, so that tags have to be known. */
export const namesTag = (words: readonly string[]): boolean => words.some((word) => tagIn(word) !== undefined)

/**
 * Pairs of characters, a few ns each: a hundred globs for long keys in one comment would keep a processor busy for minutes. `svc plan` and `svc
 * unlock` match while they hold the row of their pull request, for which others wait 5 s: this is half a second at worst, and fifty
 * characters of globs for 25,000 stacks.
 */
const mostWork = 100_000_000

/**
 * Stacks by keys and globs. A word that is a key means only that stack. Otherwise, a glob that matches a stack's directory
 * takes every instance of it, and a glob that matches a whole key takes that stack (`aws/*`, `aws/prod`, `**` + `/*:eu`).
 * `tag:network` takes every stack with that tag. No word at all takes every stack.
 */
export function* selectKeys(
  globs: readonly string[],
  keys: readonly string[],
  tags: ReadonlyMap<string, readonly string[]> = noTags,
): Steps<KeySelection> {
  if (globs.length === 0) return { keys: [...keys], unmatched: [] }
  const known = new Set(keys)
  const paths = keys.map((key) => parseStackKey(key).path)
  const chosen = new Set<string>()
  const unmatched: KeySelection['unmatched'] = []
  const chars = keys.reduce((sum, key) => sum + 2 * key.length, 0)
  let work = 0
  for (const glob of new Set(globs)) {
    yield
    if (known.has(glob)) {
      chosen.add(glob)
      continue
    }
    const tag = tagIn(glob)
    if (tag !== undefined) {
      const tagged = keys.filter((key) => tags.get(key)?.includes(tag))
      for (const key of tagged) chosen.add(key)
      if (tagged.length === 0) unmatched.push({ glob, why: 'is the tag of no stack' })
      continue
    }
    work += glob.length * chars
    const problem = globProblem(glob) ?? (work > mostWork ? tooMany : undefined)
    const found = problem === undefined ? yield* matchedBy(glob, keys, paths) : []
    for (const key of found) chosen.add(key)
    if (found.length === 0) unmatched.push({ glob, why: problem ?? 'matches no stack' })
  }
  return { keys: keys.filter((key) => chosen.has(key)), unmatched }
}

function* matchedBy(glob: string, keys: readonly string[], paths: readonly string[]): Steps<string[]> {
  const matches = compileGlob(glob)
  const found: string[] = []
  const isLong = createPairMeter()
  for (const [at, key] of keys.entries()) {
    if (matches(key) || matches(paths[at] ?? key)) found.push(key)
    if (isLong(glob.length, 2 * key.length)) yield
  }
  return found
}
