import { compileGlobs } from '../config/glob.ts'
import { keyOf } from '../graph/graph-index.ts'
import type { ConfiguredGraph } from '../resolution/configured-graph.ts'
import type { ChangedAt } from './changed-at.ts'
import type { Fate } from './explanation.ts'

/** Files that are accounted for, and keys that are named for each. */
const FILES = 20
const KEYS = 5

/** Where changed files belong: left out by `ignore`, in stacks, in modules, or in nothing that is known. */
export const fatesOf = (
  { index, config }: ConfiguredGraph,
  changes: ReadonlyMap<number, ChangedAt>,
  paths: readonly string[],
): Fate[] => {
  const ignored = compileGlobs(config.ignore)
  const shown = paths.slice(0, FILES)
  const fates = new Map<string, Fate>(
    shown.map((path) => [path, { path, ...(ignored(path) ? { ignored: true as const } : {}) }]),
  )
  for (const [node, { own }] of changes) {
    const kind = node < index.stacks.length ? 'stacks' : 'modules'
    for (const path of own) {
      const fate = fates.get(path)
      const keys = fate?.[kind] ?? []
      if (fate !== undefined && keys.length < KEYS) fate[kind] = [...keys, keyOf(index, node)]
    }
  }
  return [...fates.values()]
}
