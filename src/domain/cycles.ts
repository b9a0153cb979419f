import { type GraphIndex, keyOf } from './graph-index.ts'
import { isOrdering } from './waves.ts'

/** The shortest way from a node back to itself inside a component, no longer than `limit`; undefined when there is none. */
const shortestFrom = (index: GraphIndex, inside: Set<number>, start: number, limit: number): number[] | undefined => {
  const { out } = index
  const before = new Map<number, number>()
  let level = [start]
  for (let length = 1; length < limit && level.length > 0; length += 1) {
    const following: number[] = []
    for (const node of level) {
      for (let e = out.start[node] as number; e < (out.start[node + 1] as number); e += 1) {
        const to = out.node[e] as number
        if (!inside.has(to) || !isOrdering(index, node, e)) continue
        if (to === start) {
          const way = [node]
          for (let at = node; at !== start; ) {
            at = before.get(at) as number
            way.push(at)
          }
          return way.reverse()
        }
        if (before.has(to)) continue
        before.set(to, node)
        following.push(to)
      }
    }
    level = following
  }
  return undefined
}

/** Starts tried for one component: a shortest cycle is worth little more than a short one in a knot of thousands of stacks. */
const MAX_STARTS = 50

/**
 * Spells a circle as 'a → b → a', where a depends on b: the shortest through a scheduled stack, from its smallest key on.
 * Keys of stacks left out of the run and of modules are spelled when the way leads through them.
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
