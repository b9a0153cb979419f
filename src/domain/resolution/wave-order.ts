import type { Edge, Graph } from '#domain/graph/graph.ts'
import { type GraphIndex, indexGraph } from '#domain/graph/graph-index.ts'
import { repositoryPath } from '../keys.ts'
import { isOnlyByDefault, type MergedAffected } from './merged-affected.ts'
import { type Order, orderOf } from './waves.ts'

export type WaveOrder = Order & {
  index: GraphIndex
  /** 1 for each stack (by its number in `merged.stacks`) that the run plans. */
  scheduled: Uint8Array
  /** Ordering edges used that the uploaded graph does not have. */
  addedEdges: readonly Edge[]
}

export type Requested = { ids: ReadonlySet<number>; unknown: string[] } | undefined

/** The stacks that a restriction names: by key, by path for all instances of a directory, or by tag (`tag:network`). */
export const requestedOf = ({ stacks }: MergedAffected, restrict: readonly string[] | undefined): Requested => {
  if (restrict === undefined || restrict.length === 0) return undefined
  const wanted = new Map(restrict.map((name) => [repositoryPath(name) ?? name, name]))
  const ids = new Set<number>()
  const met = new Set<string>()
  for (const [id, { key, path, tags = [], external }] of stacks.entries()) {
    if (external) continue
    for (const name of [key, path, ...tags.map((tag) => `tag:${tag}`)]) {
      if (!wanted.has(name)) continue
      ids.add(id)
      met.add(name)
    }
  }
  return { ids, unknown: [...wanted].filter(([name]) => !met.has(name)).map(([, written]) => written) }
}

const scheduledOf = ({ bits }: MergedAffected, requested: Requested, { size, externals }: GraphIndex): Uint8Array => {
  const scheduled = new Uint8Array(size)
  if (requested === undefined) for (let id = 0; id < bits.length; id += 1) scheduled[id] = bits[id] === 0 ? 0 : 1
  else for (const id of requested.ids) scheduled[id] = 1
  for (const id of externals) scheduled[id] = 0
  return scheduled
}

/**
 * With one configuration and no restriction, everything between two scheduled stacks is affected itself, so only affected nodes
 * are walked.
 */
const ofOneView = (merged: MergedAffected, requested: Requested): WaveOrder => {
  const { index } = merged.uploaded.view
  const scheduled = scheduledOf(merged, requested, index)
  const within = requested === undefined ? merged.uploaded.affected.bits : new Uint8Array(index.size).fill(1)
  return { ...orderOf({ index, scheduled, within }), index, scheduled, addedEdges: [] }
}

const ofTwoViews = (graph: Graph, merged: MergedAffected, requested: Requested, added: readonly Edge[]): WaveOrder => {
  const index = indexGraph(merged.stacks, graph.modules, [...merged.uploaded.view.edges, added])
  const scheduled = scheduledOf(merged, requested, index)
  const within = new Uint8Array(index.size).fill(1)
  return { ...orderOf({ index, scheduled, within }), index, scheduled, addedEdges: added }
}

/**
 * Which stacks run, and in which order. The uploaded graph orders its own stacks. A stack that only the default branch's
 * configuration plans is also ordered as that configuration says, unless the two orders together make a cycle: then the pull
 * request reversed a dependency, and its own order holds.
 */
export const waveOrder = (graph: Graph, merged: MergedAffected, requested: Requested): WaveOrder => {
  const { byDefault, stacks, uploaded } = merged
  if (byDefault === undefined) return ofOneView(merged, requested)
  const added = new Set(stacks.slice(uploaded.view.index.stacks.length).map(({ key }) => key))
  const only = new Set(stacks.filter((_, id) => isOnlyByDefault(merged, id)).map(({ key }) => key))
  const ofAdded = byDefault.view.extraEdges.filter(({ from, to }) => added.has(from.key) || added.has(to.key))
  const all = byDefault.view.extraEdges.filter((edge) => only.has(edge.from.key) || ofAdded.includes(edge))
  const first = ofTwoViews(graph, merged, requested, all)
  return first.cycles.length === 0 || all.length === ofAdded.length
    ? first
    : ofTwoViews(graph, merged, requested, ofAdded)
}
