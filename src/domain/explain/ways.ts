import type { Edge } from '../graph/graph.ts'
import { type GraphIndex, keyOf } from '../graph/graph-index.ts'
import type { Step } from './explanation.ts'

/** The next node on the shortest way from each node to one that changed. */
export type Ways = ReadonlyMap<number, { node: number; type: Edge['type'] }>

/** Whether an edge passes effects on: modules are used, stacks are read and depended on. */
const carries = (type: Edge['type'], isModule: boolean): boolean => (type === 'uses_module') === isModule

/** From what changed, breadth first, against the edges: each node and each edge once. */
export const waysTo = ({ stacks, into }: GraphIndex, changed: Iterable<number>): Ways => {
  const ways = new Map<number, { node: number; type: Edge['type'] }>()
  const queue = [...changed]
  const seen = new Set(queue)
  for (const node of queue) {
    const { first, end } = into.edgesOf(node)
    for (let edge = first; edge < end; edge += 1) {
      const user = into.nodeAt(edge)
      const type = into.typeAt(edge)
      if (seen.has(user) || !carries(type, node >= stacks.length)) continue
      seen.add(user)
      ways.set(user, { node, type })
      queue.push(user)
    }
  }
  return ways
}

/** `from` and every node after it, up to the one that changed; undefined if the way leads through `not`. */
export const wayFrom = (ways: Ways, from: number, not: number): { node: number; type?: Edge['type'] }[] | undefined => {
  const nodes: { node: number; type?: Edge['type'] }[] = [{ node: from }]
  for (let next = ways.get(from); next !== undefined; next = ways.get(next.node)) {
    if (next.node === not) return undefined
    nodes.push(next)
  }
  return nodes
}

const pathOf = ({ stacks, modules }: GraphIndex, node: number): string | undefined => {
  if (node < stacks.length) return stacks[node]?.external ? undefined : stacks[node]?.path
  const module = modules[node - stacks.length]
  return module?.kind === 'local' ? module.path : undefined
}

/** A step between two nodes, with what the graph's edge says of it. */
export const stepOf = (index: GraphIndex, from: number, to: number, type: Edge['type'], edges: EdgeLists): Step => {
  const [fromKey, toKey] = [keyOf(index, from), keyOf(index, to)]
  const [fromPath, toPath] = [pathOf(index, from), pathOf(index, to)]
  const source = type === 'uses_module' ? sourceOf(edges, fromKey, toKey) : undefined
  return {
    ...{ from: fromKey, to: toKey, type },
    ...(fromPath === undefined ? {} : { from_path: fromPath }),
    ...(toPath === undefined ? {} : { to_path: toPath }),
    ...(source === undefined ? {} : { source }),
  }
}

export type EdgeLists = readonly (readonly Edge[])[]

const sourceOf = (lists: EdgeLists, from: string, to: string): string | undefined => {
  for (const edges of lists) {
    const found = edges.find((one) => one.from.key === from && one.to.key === to && one.type === 'uses_module')
    if (found !== undefined) return found.meta?.source
  }
  return undefined
}
