import t from 'tap'
import type { Edge, Graph } from '#domain/graph/graph.ts'
import { compactGraph, edgeKinds, storedEdges } from '#domain/resolution/compact-graph.ts'
import { configuredGraph } from '#domain/resolution/configured-graph.ts'
import { config, graphOf } from '../graph/graph-of.ts'

const compact = (graph: Graph) => compactGraph(configuredGraph(graph, config()).index)

/** With names in the place of numbers. */
const read = (graph: Graph) => {
  const { keys, edges, kinds, waves } = compact(graph)
  return {
    edges: edges.map(([from, to, kind]) => `${keys[from]} ${kinds[kind]} ${keys[to]}`).sort(),
    waves: waves.map((wave) => wave.map((stack) => keys[stack]).sort()),
  }
}

t.test('a stack is a wave after everything that it names or reads; modules have no wave', (t) => {
  const { edges, waves } = read(
    graphOf(
      { app: { depends: ['net'], reads: ['db'], uses: ['vpc'] }, net: {}, db: { depends: ['net'] } },
      { vpc: {} },
    ),
  )
  t.same(edges, ['app depends_on net', 'app reads_state db', 'app uses_module vpc', 'db depends_on net'])
  t.same(waves, [['net'], ['db'], ['app']])
  t.end()
})

t.test('what the configuration of a stack adds is an edge', (t) => {
  const { edges } = read(graphOf({ app: { config: { depends_on: ['./net/'] } }, net: {} }))
  t.same(edges, ['app depends_on net'])
  t.end()
})

t.test('stacks of other repositories are named, and hold nobody up', (t) => {
  const external = { external: true, repo: 'acme/base' }
  const {
    keys,
    stacks,
    external: named,
    waves,
  } = compact(graphOf({ app: { depends: ['acme/base//net'] }, 'acme/base//net': external }))
  t.same([stacks, named.map((one) => keys[one])], [2, ['acme/base//net']])
  t.same(
    waves.map((wave) => wave.map((one) => keys[one])),
    [['app']],
  )
  t.end()
})

t.test('a cycle shares a wave, and what needs it is in the next', (t) => {
  const { waves } = read(graphOf({ a: { depends: ['b'] }, b: { depends: ['a'] }, c: { depends: ['a'] } }))
  t.same(waves, [['a', 'b'], ['c']])
  t.end()
})

t.test('an empty graph has nothing but the kinds', (t) => {
  t.same(compact(graphOf({})), { keys: [], stacks: 0, external: [], kinds: [...edgeKinds], edges: [], waves: [] })
  t.end()
})

t.test('its edges are read from it as from the graph, those of the configuration too', (t) => {
  const graph = graphOf(
    { app: { depends: ['net'], uses: ['vpc'], config: { depends_on: ['db'] } }, net: {}, db: { reads: ['net'] } },
    { vpc: { reads: ['net'] } },
  )
  const bare = ({ from, to, type }: Edge): string => `${from.kind} ${from.key} ${type} ${to.kind} ${to.key}`
  const ofText = storedEdges({ text: JSON.stringify(compact(graph)), isCompact: true })
  t.same(ofText.map(bare).sort(), [...graph.edges.map(bare), 'stack app depends_on stack db'].sort())
  t.same(storedEdges({ text: JSON.stringify(graph), isCompact: false }), graph.edges)
  t.end()
})
