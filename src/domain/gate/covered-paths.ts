import type { Steps } from '../steps.ts'
import { type OwnerLine, parseCodeOwners } from './code-owners.ts'
import { type OwnersIndex, ownersIndex } from './code-owners-index.ts'
import { patternProblem, segmentsOf } from './code-owners-pattern.ts'

/** A line of CODEOWNERS, and which of the paths it is the last to match: as on GitHub, that line counts. */
export type CoveredPaths = { line: OwnerLine; paths: string[] }

/** Indexing so many lines, or following so many paths, takes some 1 ms. */
const STEP = { lines: 500, paths: 20 }

const tooMuch: OwnerLine = {
  line: 1,
  pattern: '*',
  owners: [],
  problem: 'its wildcards take too long to match against so many paths: use fewer of them, or simpler ones',
}

/** More names than this are not worth a set of them: any real pull request has fewer. */
const mostNames = 100_000

/** The names that occur in paths; undefined if there are too many. */
function* namesIn(paths: readonly string[]): Steps<ReadonlySet<string> | undefined> {
  const names = new Set<string>()
  for (const [nth, path] of paths.entries()) {
    if (nth % STEP.paths === 0) yield
    for (const name of path.split('/')) names.add(name)
    if (names.size > mostNames) return undefined
  }
  return names
}

/**
 * A pattern covers none of the paths if it has a name that none of them has: so most lines of a large file need not be kept. One with
 * a problem may mean any path.
 */
const mayCover =
  (names: ReadonlySet<string>) =>
  (pattern: string): boolean =>
    patternProblem(pattern) !== undefined ||
    segmentsOf(pattern).every((segment) => segment.kind !== 'text' || names.has(segment.text))

/**
 * The lines of a CODEOWNERS file that cover some paths, in the order of the file. A path that no line covers has no owner. In
 * steps: 3 MB take 2 s.
 */
export function* coveredPaths(text: string, paths: readonly string[]): Steps<CoveredPaths[]> {
  const names = yield* namesIn(paths)
  const lines = yield* parseCodeOwners(text, names && mayCover(names))
  const index = yield* indexOf(lines)
  const covered = new Map<OwnerLine, string[]>()
  for (const [nth, path] of [...paths].sort().entries()) {
    if (nth % STEP.paths === 0) yield
    const at = yield* index.find(path)
    const line = at === 'too much' ? tooMuch : lines[at]
    if (line === undefined) continue
    const known = covered.get(line)
    if (known === undefined) covered.set(line, [path])
    else known.push(path)
  }
  return [...covered].sort(([a], [b]) => a.line - b.line).map(([line, owned]) => ({ line, paths: owned }))
}

function* indexOf(lines: readonly OwnerLine[]): Steps<OwnersIndex> {
  const index = ownersIndex()
  for (const [at, { pattern }] of lines.entries()) {
    if (at % STEP.lines === 0) yield
    // if it is unclear which paths are meant, it may be any
    if (!index.add(segmentsOf(pattern), at)) index.add([{ kind: 'any' }], at)
  }
  return index
}
