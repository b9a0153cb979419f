import { type Adjacency, addEdge, adjacency, edgeEnds } from './adjacency.ts'
import type { Edge, ModuleNode, StackNode } from './graph.ts'

/*
 * A graph as numbers: stacks are 0 … stacks.length - 1, modules follow. Resolution over 10,000 stacks and 50,000 edges spends
 * most of its time looking up the keys of edges, so a key equal to the one before is not looked up again: scanners write a
 * stack's edges one after another.
 */

export type GraphIndex = {
  stacks: readonly StackNode[]
  modules: readonly ModuleNode[]
  /** Number of nodes. */
  size: number
  stackIds: ReadonlyMap<string, number>
  /** Stacks of other repositories; stacks whose key is not their path; stacks that watch paths. By number. */
  externals: readonly number[]
  instances: readonly number[]
  watching: readonly number[]
  /** Edges to what a node uses, depends on or reads. */
  out: Adjacency
  /** Edges from what uses, depends on or reads a node. */
  into: Adjacency
  /** Whether a module depends on a stack, in which case order and effects pass through modules. */
  throughModules: boolean
}

export const keyOf = ({ stacks, modules }: GraphIndex, id: number): string =>
  (id < stacks.length ? stacks[id]?.key : modules[id - stacks.length]?.key) ?? ''

type IndexedStacks = Pick<GraphIndex, 'externals' | 'instances' | 'watching'> & { stackIds: Map<string, number> }

/** One pass over the stacks collects what later steps would otherwise each search 10,000 objects for. */
const indexStacks = (stacks: readonly StackNode[]): IndexedStacks => {
  const stackIds = new Map<string, number>()
  const externals: number[] = []
  const instances: number[] = []
  const watching: number[] = []
  stacks.forEach(({ key, path, external, watch_paths }, i) => {
    stackIds.set(key, i)
    if (external === true) externals.push(i)
    // a key is its path, or its path and more
    else if (key.length !== path.length) instances.push(i)
    if (watch_paths !== undefined && watch_paths.length > 0) watching.push(i)
  })
  return { stackIds, externals, instances, watching }
}

/**
 * Indexes nodes and edges. An edge with an unknown end is left out: an upload that has one is refused before this. An edge to a
 * version of a local module, fetched from git, is left out too: the stack does not use this commit's copy of the module.
 */
export const indexGraph = (
  stacks: readonly StackNode[],
  modules: readonly ModuleNode[],
  edgeLists: readonly (readonly Edge[])[],
): GraphIndex => {
  const indexed = indexStacks(stacks)
  const { stackIds } = indexed
  const moduleIds = new Map(modules.map(({ key }, i) => [key, stacks.length + i]))
  const size = stacks.length + modules.length
  const ends = edgeEnds(edgeLists.reduce((sum, list) => sum + list.length, 0))
  let throughModules = false
  let last: Edge['from'] = { kind: 'stack', key: '' }
  let from: number | undefined
  for (const edges of edgeLists) {
    for (const edge of edges) {
      if (edge.from.key !== last.key || edge.from.kind !== last.kind) {
        last = edge.from
        from = (last.kind === 'stack' ? stackIds : moduleIds).get(last.key)
      }
      const to = (edge.to.kind === 'stack' ? stackIds : moduleIds).get(edge.to.key)
      if (from === undefined || to === undefined) continue
      const { type } = edge
      const isModule = type === 'uses_module'
      if (isModule && edge.meta?.ref !== undefined && modules[to - stacks.length]?.kind === 'local') continue
      if (!isModule && from >= stacks.length) throughModules = true
      addEdge(ends, from, to, type)
    }
  }
  return {
    stacks,
    modules,
    size,
    ...indexed,
    out: adjacency(size, ends, 'from'),
    into: adjacency(size, ends, 'to'),
    throughModules,
  }
}
