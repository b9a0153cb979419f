import type { Edge, Graph } from './graph.ts'
import { type GraphIndex, indexGraph } from './graph-index.ts'
import { repositoryPath } from './keys.ts'
import { isOnlyByDefault, type United } from './united.ts'
import { type Order, orderOf } from './waves.ts'

export type Schedule = Order & {
  index: GraphIndex
  /** 1 for each stack (by its number in `united.stacks`) that the run plans. */
  scheduled: Uint8Array
  /** Ordering edges used that the uploaded graph does not have. */
  addedEdges: readonly Edge[]
}

export type Requested = { ids: ReadonlySet<number>; unknown: string[] } | undefined

/** The stacks that a restriction names: by key, or by path for all instances of a directory. */
export const requestedOf = ({ stacks }: United, restrict: readonly string[] | undefined): Requested => {
  if (restrict === undefined || restrict.length === 0) return undefined
  const wanted = new Map(restrict.map((name) => [repositoryPath(name) ?? name, name]))
  const ids = new Set<number>()
  const met = new Set<string>()
  for (const [id, { key, path, external }] of stacks.entries()) {
    if (external) continue
    for (const name of [key, path]) {
      if (!wanted.has(name)) continue
      ids.add(id)
      met.add(name)
    }
  }
  return { ids, unknown: [...wanted].filter(([name]) => !met.has(name)).map(([, written]) => written) }
}

const scheduledOf = ({ bits }: United, requested: Requested, { size, externals }: GraphIndex): Uint8Array => {
  const scheduled = new Uint8Array(size)
  if (requested === undefined) for (let id = 0; id < bits.length; id += 1) scheduled[id] = bits[id] === 0 ? 0 : 1
  else for (const id of requested.ids) scheduled[id] = 1
  for (const id of externals) scheduled[id] = 0
  return scheduled
}

/** One configuration and no restriction: whatever lies between two scheduled stacks is affected itself, so only that is walked. */
const ofOneView = (united: United, requested: Requested): Schedule => {
  const { index } = united.uploaded.view
  const scheduled = scheduledOf(united, requested, index)
  const within = requested === undefined ? united.uploaded.affected.bits : new Uint8Array(index.size).fill(1)
  return { ...orderOf({ index, scheduled, within }), index, scheduled, addedEdges: [] }
}

const ofTwoViews = (graph: Graph, united: United, requested: Requested, added: readonly Edge[]): Schedule => {
  const index = indexGraph(united.stacks, graph.modules, [...united.uploaded.view.edges, added])
  const scheduled = scheduledOf(united, requested, index)
  const within = new Uint8Array(index.size).fill(1)
  return { ...orderOf({ index, scheduled, within }), index, scheduled, addedEdges: added }
}

/**
 * Which stacks run, and in which order. The uploaded graph orders its own stacks. A stack that only the default branch's
 * configuration plans is also ordered as that says, unless the two orders together go round: then the pull request turned
 * a dependency about, and its own order holds.
 */
export const schedule = (graph: Graph, united: United, requested: Requested): Schedule => {
  const { byDefault, stacks, uploaded } = united
  if (byDefault === undefined) return ofOneView(united, requested)
  const added = new Set(stacks.slice(uploaded.view.index.stacks.length).map(({ key }) => key))
  const only = new Set(stacks.filter((_, id) => isOnlyByDefault(united, id)).map(({ key }) => key))
  const ofAdded = byDefault.view.extraEdges.filter(({ from, to }) => added.has(from.key) || added.has(to.key))
  const all = byDefault.view.extraEdges.filter((edge) => only.has(edge.from.key) || ofAdded.includes(edge))
  const first = ofTwoViews(graph, united, requested, all)
  return first.circles.length === 0 || all.length === ofAdded.length
    ? first
    : ofTwoViews(graph, united, requested, ofAdded)
}
