import t from 'tap'
import type { Graph } from '#domain/graph/graph.ts'
import { stackListing } from '#domain/graph/stack-listing.ts'
import { configuredGraph } from '#domain/resolution/configured-graph.ts'
import { config, graphOf, resolved, why } from './graph-of.ts'

const external = { external: true }

const upstreams = (graph: Graph, yaml = '') =>
  Object.fromEntries(
    stackListing(configuredGraph(graph, config(yaml)).index).map(({ key, upstreams: all = [] }) => [
      key,
      all.map((one) => `${one.type} ${one.key}`).sort(),
    ]),
  )

t.test('what a stack depends on and reads in another repository', async (t) => {
  const graph = graphOf({
    app: { depends: ['Acme/net//vpc:eu'], reads: ['Acme/net//vpc:eu'] },
    web: { depends: ['app'] },
    'Acme/net//vpc:eu': external,
  })
  t.same(upstreams(graph), { app: ['depends_on Acme/net//vpc:eu', 'reads_state Acme/net//vpc:eu'], web: [] })
  t.same(stackListing(configuredGraph(graph, config()).index)[0]?.upstreams?.[0], {
    ...{ key: 'Acme/net//vpc:eu', repo: 'acme/net', stack: 'vpc:eu' },
    type: 'depends_on',
  })
})

t.test(
  'a module that reads a state there does so for all its users, through other modules too, and a ring of modules ends',
  async (t) => {
    const graph = graphOf(
      { app: { uses: ['outer'] }, web: { uses: ['inner'] }, api: {}, 'acme/net//vpc': external },
      { outer: { uses: ['inner'] }, inner: { uses: ['outer'], reads: ['acme/net//vpc'] } },
    )
    t.same(upstreams(graph), { app: ['reads_state acme/net//vpc'], web: ['reads_state acme/net//vpc'], api: [] })
  },
)

t.test('the configuration counts too, and a key without a repository belongs to none', async (t) => {
  const graph = graphOf({ app: { depends: ['elsewhere'] }, 'acme/net//vpc': external, elsewhere: external })
  const yaml = 'stacks: [{ match: app, depends_on: [acme/net//vpc] }]'
  t.same(upstreams(graph, yaml), {
    app: ['depends_on acme/net//vpc'],
  })
})

t.test('stacks that changed elsewhere affect their dependents here, near and far, and are not planned', async (t) => {
  const graph = graphOf({
    app: { reads: ['acme/net//vpc'] },
    web: { depends: ['app'] },
    job: { depends: ['acme/net//vpc'] },
    idle: { depends: ['acme/net//dns'] },
    'acme/net//vpc': external,
    'acme/net//dns': external,
  })
  t.same(why(resolved(graph, [], { changedStacks: ['acme/net//vpc'] })), [
    'app: reads_state via acme/net//vpc',
    'job: dependent via acme/net//vpc',
    'web: dependent via app',
  ])
  t.same(why(resolved(graph, [], { changedStacks: ['acme/net//gone'] })), [])
})
