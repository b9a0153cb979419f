import t from 'tap'
import type { Graph } from '#domain/graph/graph.ts'
import { stackListing } from '#domain/graph/stack-listing.ts'
import { configuredGraph } from '#domain/resolution/configured-graph.ts'
import { config, graphOf } from './graph-of.ts'

const listed = (graph: Graph) => stackListing(configuredGraph(graph, config()).index)

const ends = (graph: Graph) => listed(graph).map(({ key, dependencies, dependents }) => [key, dependencies, dependents])

t.test('a stack depends on what it names and what it reads, and not on modules', async (t) => {
  const app = { depends: ['net'], reads: ['db', 'net'], uses: ['vpc'] }
  t.same(ends(graphOf({ app, net: {}, db: { depends: ['net'] } }, { vpc: {} })), [
    ['app', ['db', 'net'], []],
    ['net', [], ['app', 'db']],
    ['db', ['net'], ['app']],
  ])
})

t.test("a node's own depends_on counts like an edge", async (t) => {
  t.same(ends(graphOf({ app: { config: { depends_on: ['./net/'] } }, net: {} })), [
    ['app', ['net'], []],
    ['net', [], ['app']],
  ])
})

t.test('stacks of other repositories are ends of edges, and are not listed', async (t) => {
  const external = { external: true, repo: 'acme/base' }
  t.same(ends(graphOf({ app: { depends: ['acme/base//net'] }, 'acme/base//net': external })), [
    ['app', ['acme/base//net'], []],
  ])
})

t.test('of a node only what a stack shows is kept', async (t) => {
  const shown = {
    ...{ path: 'app', instance: 'eu', workspace: 'live', environment: 'prod', tool: 'tofu' as const },
    backend: { type: 's3', bucket: 'state', key: 'app' },
  }
  const graph = graphOf({ 'app:eu': { ...shown, watch_paths: ['x'], tool_version: '1' }, net: {} })
  t.same(
    listed(graph).map(({ node }) => node),
    [shown, { path: 'net' }],
  )
})
