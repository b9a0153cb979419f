import type { CompactGraph } from '../api/graph.ts'

/** The other ends of each node's edges: those of a node are a range of one long list, so 50,000 edges take no objects. */
export type Ends = { of(node: number): readonly [other: number, kind: number][]; count(node: number): number }

/** What each node needs, and what needs it. */
export type Neighbours = { needs: Ends; neededBy: Ends }

const endsOf = ({ keys, edges }: CompactGraph, near: 0 | 1): Ends => {
  const start = new Int32Array(keys.length + 1)
  for (const edge of edges) start[edge[near] + 1] = (start[edge[near] + 1] ?? 0) + 1
  for (let node = 0; node < keys.length; node += 1) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0)
  const next = start.slice()
  const places = new Int32Array(edges.length)
  for (let at = 0; at < edges.length; at += 1) {
    const node = edges[at]?.[near] ?? 0
    const place = next[node] ?? 0
    places[place] = at
    next[node] = place + 1
  }
  return {
    count: (node) => (start[node + 1] ?? 0) - (start[node] ?? 0),
    of: (node) =>
      Array.from(places.subarray(start[node] ?? 0, start[node + 1] ?? 0), (at) => {
        const edge = edges[at] ?? [0, 0, 0]
        return [edge[near === 0 ? 1 : 0], edge[2]]
      }),
  }
}

export const neighboursOf = (graph: CompactGraph): Neighbours => ({
  needs: endsOf(graph, 0),
  neededBy: endsOf(graph, 1),
})

/** How far the neighbourhood of a stack goes: next to it, all that it needs, all that needs it. */
export type Reach = 'next' | 'needs' | 'needed'

/** A line between two stacks; `step` is 0 for those of the chosen stack itself. */
export type Line = { from: number; to: number; direction: 'needs' | 'needed'; step: number }

export type Reached = { nodes: ReadonlySet<number>; lines: readonly Line[] }

/** Everything that a walk from a node in one direction comes to, nearest first. */
const walk = (ends: Ends, direction: Line['direction'], node: number, isFar: boolean): Reached => {
  const nodes = new Set([node])
  const lines: Line[] = []
  let front = [node]
  for (let step = 0; front.length > 0 && (step === 0 || isFar); step += 1) {
    const next: number[] = []
    for (const from of front) {
      for (const [to] of ends.of(from)) {
        lines.push({ from, to, direction, step })
        if (nodes.has(to)) continue
        nodes.add(to)
        next.push(to)
      }
    }
    front = next
  }
  nodes.delete(node)
  return { nodes, lines }
}

/** The neighbourhood of a stack. Modules are passed through, for a stack may need another by way of one. */
export const reachOf = ({ needs, neededBy }: Neighbours, node: number, reach: Reach): Reached => {
  const up = walk(needs, 'needs', node, reach === 'needs')
  const down = walk(neededBy, 'needed', node, reach === 'needed')
  if (reach === 'needs') return up
  if (reach === 'needed') return down
  return { nodes: new Set([...up.nodes, ...down.nodes]), lines: [...up.lines, ...down.lines] }
}
