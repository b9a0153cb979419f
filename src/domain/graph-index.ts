import type { Edge, ModuleNode, StackNode } from './graph.ts'

/*
 * A graph as numbers: stacks are 0 … stacks.length - 1, modules follow, and the edges of each node are a slice of typed
 * arrays, in both directions. Resolution over 10,000 stacks and 50,000 edges spends most of its time looking up the keys of
 * edges, so a key equal to the one before is not looked up again: scanners write a stack's edges one after another.
 */

export const USES_MODULE = 0
export const DEPENDS_ON = 1
export const READS_STATE = 2

/** The edges of node n are start[n] … start[n + 1] - 1: the node at the other end, and the edge's type. */
export type Adjacency = { start: Uint32Array; node: Uint32Array; type: Uint8Array }

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
  /** Edges to what a node depends on. */
  out: Adjacency
  /** Edges from what depends on a node. */
  into: Adjacency
  /** Whether a module depends on a stack, so that order and effects pass through modules. */
  throughModules: boolean
}

export const keyOf = ({ stacks, modules }: GraphIndex, id: number): string =>
  (id < stacks.length ? stacks[id]?.key : modules[id - stacks.length]?.key) ?? ''

const typeOf = (type: Edge['type']): number => {
  if (type === 'uses_module') return USES_MODULE
  return type === 'depends_on' ? DEPENDS_ON : READS_STATE
}

type IndexedStacks = Pick<GraphIndex, 'externals' | 'instances' | 'watching'> & { stackIds: Map<string, number> }

/** One pass over the stacks for all that later steps would each look through 10,000 objects for. */
const indexStacks = (stacks: readonly StackNode[]): IndexedStacks => {
  const stackIds = new Map<string, number>()
  const externals: number[] = []
  const instances: number[] = []
  const watching: number[] = []
  for (let i = 0; i < stacks.length; i += 1) {
    const { key, path, external, watch_paths } = stacks[i] as StackNode
    stackIds.set(key, i)
    if (external === true) externals.push(i)
    // a key is its path, or its path and more
    else if (key.length !== path.length) instances.push(i)
    if (watch_paths !== undefined && watch_paths.length > 0) watching.push(i)
  }
  return { stackIds, externals, instances, watching }
}

type Ends = { from: Uint32Array; to: Uint32Array; type: Uint8Array; count: number }

/** Sorts edges by one end, counting: two passes, no comparison. */
const adjacency = (size: number, at: Uint32Array, other: Uint32Array, { type, count }: Ends): Adjacency => {
  const start = new Uint32Array(size + 1)
  for (let e = 0; e < count; e += 1) start[(at[e] as number) + 1] = (start[(at[e] as number) + 1] as number) + 1
  for (let n = 0; n < size; n += 1) start[n + 1] = (start[n + 1] as number) + (start[n] as number)
  const next = start.slice(0, size)
  const out = { start, node: new Uint32Array(count), type: new Uint8Array(count) }
  for (let e = 0; e < count; e += 1) {
    const slot = next[at[e] as number] as number
    next[at[e] as number] = slot + 1
    out.node[slot] = other[e] as number
    out.type[slot] = type[e] as number
  }
  return out
}

/**
 * Indexes nodes and edges. An edge with an unknown end is left out: an upload that has one is refused before this. So is one
 * that asks for a version of a local module, from git: what this commit has of the module is not what is used.
 */
export const indexGraph = (
  stacks: readonly StackNode[],
  modules: readonly ModuleNode[],
  edgeLists: readonly (readonly Edge[])[],
): GraphIndex => {
  const size = stacks.length + modules.length
  const indexed = indexStacks(stacks)
  const { stackIds } = indexed
  const moduleIds = new Map(modules.map(({ key }, i) => [key, stacks.length + i]))
  const total = edgeLists.reduce((sum, list) => sum + list.length, 0)
  const ends: Ends = {
    from: new Uint32Array(total),
    to: new Uint32Array(total),
    type: new Uint8Array(total),
    count: 0,
  }
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
      const type = typeOf(edge.type)
      if (type === USES_MODULE && edge.meta?.ref !== undefined && modules[to - stacks.length]?.kind === 'local')
        continue
      if (type !== USES_MODULE && from >= stacks.length) throughModules = true
      ends.from[ends.count] = from
      ends.to[ends.count] = to
      ends.type[ends.count] = type
      ends.count += 1
    }
  }
  return {
    stacks,
    modules,
    size,
    ...indexed,
    out: adjacency(size, ends.from, ends.to, ends),
    into: adjacency(size, ends.to, ends.from, ends),
    throughModules,
  }
}
