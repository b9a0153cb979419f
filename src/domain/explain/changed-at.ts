import { compileGlobs } from '../config/glob.ts'
import type { Change } from '../resolution/affected.ts'
import { touchedBy } from '../resolution/changed-paths.ts'
import type { ConfiguredGraph } from '../resolution/configured-graph.ts'
import { directlyAffected } from '../resolution/directly-affected.ts'
import { CHANGED, MODULE, WATCH_PATH } from '../resolution/reasons.ts'

/** What a change does to one node by itself. */
export type ChangedAt = {
  own: string[]
  watched: { by: string; paths: () => readonly string[] }[]
  /** Its settings, by svc.yml. */
  settings: boolean
}

/** The nodes that a change affects directly, and by which files, as resolution finds them. */
export const changedAt = (view: ConfiguredGraph, { paths: all, changed }: Change): Map<number, ChangedAt> => {
  const ignored = compileGlobs(view.config.ignore)
  const paths = all.filter((path) => !ignored(path))
  const found = new Map<number, ChangedAt>()
  const at = (node: number): ChangedAt => {
    const known = found.get(node)
    if (known !== undefined) return known
    const made = { own: [], watched: [], settings: false }
    found.set(node, made)
    return made
  }
  directlyAffected(view, paths, touchedBy(paths), {
    bits: new Uint8Array(view.index.size),
    origins: new Map(),
    note: (node, reason, these, watched) => {
      if (reason === CHANGED || reason === MODULE) at(node).own.push(...these())
      if (reason === WATCH_PATH && watched !== undefined) at(node).watched.push({ by: watched, paths: these })
    },
  })
  for (const key of changed) {
    const stack = view.index.stackIds.get(key)
    if (stack !== undefined) at(stack).settings = true
  }
  return found
}
