import { type GraphIndex, keyOf } from '#domain/graph/graph-index.ts'
import { isOrdering } from './waves.ts'

/** The shortest way from a node back to itself inside a component, no longer than `limit`; undefined if there is none. */
const shortestFrom = (index: GraphIndex, inside: Set<number>, start: number, limit: number): number[] | undefined => {
  const before = new Map<number, number>()
  let level = [start]
  for (let length = 1; length < limit && level.length > 0; length += 1) {
    const following: number[] = []
    for (const node of level) {
      const { first, end } = index.out.edgesOf(node)
      for (let edge = first; edge < end; edge += 1) {
        const to = index.out.nodeAt(edge)
        if (!inside.has(to) || !isOrdering(index, node, edge)) continue
        if (to === start) return [start, ...wayTo(node, before)]
        if (before.has(to)) continue
        before.set(to, node)
        following.push(to)
      }
    }
    level = following
  }
  return undefined
}

/** The nodes up to this one, without the node that the search began at, which has no predecessor. */
const wayTo = (node: number, before: ReadonlyMap<number, number>): number[] => {
  const way: number[] = []
  for (let at = node, from = before.get(at); from !== undefined; at = from, from = before.get(at)) way.unshift(at)
  return way
}

/**
 * Starts tried for one component: in a knot of thousands of stacks, the shortest cycle is worth little more than a short one.
 */
const MAX_STARTS = 50

/**
 * Spells a cycle as 'a → b → a', where a depends on b: the shortest through a scheduled stack, starting at its smallest key.
 * Keys of stacks outside the run and of modules are spelled if the way leads through them.
 */
export const spellCycle = (index: GraphIndex, members: readonly number[], scheduled: Uint8Array): string => {
  const inside = new Set(members)
  const starts = members.filter((node) => scheduled[node] === 1).sort((a, b) => a - b)
  let best: number[] | undefined
  for (const start of starts.slice(0, MAX_STARTS)) {
    const found = shortestFrom(index, inside, start, best === undefined ? Number.POSITIVE_INFINITY : best.length)
    if (found !== undefined) best = found
    if (best !== undefined && best.length <= 2) break
  }
  const keys = (best ?? []).map((node) => keyOf(index, node))
  const smallest = keys.reduce((least, key, i) => (key < (keys[least] ?? '') ? i : least), 0)
  const spelled = [...keys.slice(smallest), ...keys.slice(0, smallest)]
  return [...spelled, spelled[0]].join(' → ')
}
