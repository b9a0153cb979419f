import type { Edge, Graph } from '#domain/graph/graph.ts'
import { graphOf } from './graph-of.ts'

const TYPES = ['depends_on', 'reads_state'] as const

/** A small graph with many edges: cycles, left-out stacks and modules meet in every combination. */
export const randomGraph = (pick: (below: number) => number): Graph => {
  const stacks = Array.from({ length: 3 + pick(8) }, (_, i) => `s${i}`)
  const modules = Array.from({ length: pick(4) }, (_, i) => `modules/m${i}`)
  const graph = graphOf(
    Object.fromEntries(stacks.map((key) => [key, {}])),
    Object.fromEntries(modules.map((key) => [key, {}])),
  )
  const edge = (): Edge => {
    const from = stacks[pick(stacks.length)] as string
    if (modules.length > 0 && pick(3) === 0) {
      const user = pick(2) === 0 ? { kind: 'stack' as const, key: from } : undefined
      const to = modules[pick(modules.length)] as string
      return {
        from: user ?? { kind: 'module', key: modules[pick(modules.length)] as string },
        to: { kind: 'module', key: to },
        type: 'uses_module',
      }
    }
    // mostly towards smaller numbers, so that about half of the graphs have no cycle
    const [a, b] = [stacks.indexOf(from), pick(stacks.length)]
    const [high, low] = pick(12) === 0 ? [a, b] : [Math.max(a, b), Math.min(a, b)]
    const type = TYPES[pick(2)] as (typeof TYPES)[number]
    return { from: { kind: 'stack', key: `s${high}` }, to: { kind: 'stack', key: `s${low}` }, type }
  }
  graph.edges = Array.from({ length: pick(stacks.length * 2) }, edge).filter(
    ({ from, to, type }) => from.key !== to.key || type === 'depends_on',
  )
  return graph
}
