import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { stackConfig } from '#domain/config/stack-config.ts'
import { stackListing } from '#domain/graph/stack-listing.ts'
import { compactGraph } from '#domain/resolution/compact-graph.ts'
import { configuredGraph } from '#domain/resolution/configured-graph.ts'
import { dependsOnEdges } from '#runner/scan/edges/depends-on.ts'
import { config, graphOf, resolved, why } from './graph-of.ts'

t.test('the tags of a stack are those of all entries that match', async (t) => {
  const made = config(
    'stacks: [{ match: "**", tags: [all, eu] }, { match: a, tags: [net, all] }, { match: b, tags: [] }]',
  )
  t.same(stackConfig(made, 'a').tags, ['all', 'eu', 'net'])
  t.same(stackConfig(made, 'b').tags, ['all', 'eu'])
  const parsed = parseRepoConfig(
    `version: 1\nstacks: [{ match: a, tags: ["a b", -x] }, { match: b, tags: [${'t,'.repeat(51)}] }]`,
  )
  t.match(parsed.ok ? [] : parsed.problems.map(({ key, message }) => `${key}: ${message}`), [
    /^stacks\[0]\.tags\[0]: 'a b' is not a tag: a letter or digit, then /,
    /^stacks\[0]\.tags\[1]: '-x' is not a tag/,
    'stacks[1].tags: expected 50 or less',
  ])
})

const tags = 'stacks: [{ match: "net/*", tags: [network] }, { match: "**", depends_on: ["tag:network"] }]'

t.test('everything waits for what has a tag, by the node and by svc.yml alike', async (t) => {
  const net = { tags: ['network'], config: { depends_on: ['tag:network'] } }
  const app = { config: { depends_on: ['tag:network'] } }
  const saying = graphOf({ 'net/a': net, 'net/b:eu': net, app, 'web:eu': app })
  const plain = graphOf({ 'net/a': {}, 'net/b:eu': {}, app: {}, 'web:eu': {} })
  const told = ['net/a: changed', 'app: dependent via net/a', 'web:eu: dependent via net/a']
  for (const answer of [resolved(saying, ['net/a/f']), resolved(plain, ['net/a/f'], { config: config(tags) })]) {
    t.same(why(answer), told)
    t.same(answer.waves, [['net/a'], ['app', 'web:eu']])
  }
  t.same(
    dependsOnEdges(saying.stacks, saying.repo, () => {}).edges.map(({ from, to }) => `${from.key} ${to.key}`),
    ['app net/a', 'app net/b:eu', 'web:eu net/a', 'web:eu net/b:eu'],
    'as a scan writes it',
  )
  const warned: string[] = []
  const unknown = graphOf({ app: { config: { depends_on: ['tag:nobody'] } } })
  dependsOnEdges(unknown.stacks, unknown.repo, ({ message }) => warned.push(message))
  t.same(warned, ['app depends on tag:nobody, the tag of no stack of this repository'])
  t.same(
    why(resolved(graphOf({ 'tag:x': {}, b: { config: { depends_on: ['tag:x'] } } }), ['tag/f'])),
    ['tag:x: changed', 'b: dependent via tag:x'],
    'a key is itself',
  )
})

t.test('a pull request that takes a tag away does not take the order away', async (t) => {
  const graph = graphOf({ 'net/a': {}, app: {} })
  const answer = resolved(graph, ['net/a/f'], { config: config(), defaultBranch: { config: config(tags) } })
  t.same(why(answer), ['net/a: changed', 'app: dependent via net/a'])
  t.match(answer.warnings[0], {
    code: 'config_keys_differ',
    keys: ['stacks[net/a].tags', 'stacks[net/a].depends_on', 'stacks[app].depends_on'],
  })
})

t.test('a run is restricted to what has a tag', async (t) => {
  const graph = graphOf({ a: { tags: ['x'] }, 'b:eu': { tags: ['x', 'y'] }, c: {} })
  t.same(resolved(graph, [], { restrict: ['tag:x'] }).waves, [['a', 'b:eu']])
  t.match(resolved(graph, [], { restrict: ['tag:y', 'c', 'tag:z'] }), { waves: [['b:eu', 'c']], unknown: ['tag:z'] })
})

t.test('lists and drawings have them', async (t) => {
  const { index } = configuredGraph(graphOf({ a: { tags: ['x'] }, b: { tags: ['x', 'y'] }, c: {} }), config())
  t.same(compactGraph(index).tags, { x: [0, 1], y: [1] })
  t.notOk('tags' in compactGraph(configuredGraph(graphOf({ a: {} }), config()).index))
  t.same(
    stackListing(index).map(({ node }) => node.tags),
    [['x'], ['x', 'y'], undefined],
  )
})
