import t from 'tap'
import type { Graph } from '#domain/graph/graph.ts'
import { graphOutline } from '#domain/graph/graph-outline.ts'
import { differingKeys, resolve } from '#domain/resolution/resolve.ts'
import { random } from '#test/helpers/random.ts'
import { config, graphOf } from './graph-of.ts'
import { randomGraph } from './random-graph.ts'

t.test('an outline has the stacks, and of each what others cannot know', (t) => {
  const node = { plan_output: 'summary' as const, tool: 'tofu' as const, watch_paths: ['x'] }
  const graph = graphOf({ 'app:eu': { depends: ['net'], uses: ['modules/m'] }, net: node }, { 'modules/m': {} })
  graph.stacks.push({ key: 'acme/other//dns', path: 'dns', external: true, repo: 'acme/other' })
  t.same(graphOutline(graph), {
    ...{ repo: graph.repo, sha: graph.sha, tree_hash: graph.tree_hash },
    stacks: [
      { key: 'app:eu', path: 'app' },
      { key: 'net', path: 'net', plan_output: 'summary' },
      { key: 'acme/other//dns', path: 'dns', external: true },
    ],
    modules: [],
    edges: [],
  })
  t.end()
})

t.test('under the same configuration, the outline of the default branch’s graph resolves as the graph does', (t) => {
  const stacks = (more: string) =>
    config(`stacks: [{match: s1, plan_output: summary}, {match: s2, instances: {eu: {}, us: {}}${more}}]\n`)
  const theirConfig = stacks('')
  // what differs decides nothing of what is planned
  const ours = [stacks(''), stacks(', environment: prod, runs_on: [big]')]
  const found = { summaries: 0, removed: 0 }
  for (let seed = 1; seed <= 1000; seed += 1) {
    const pick = random(seed)
    const theirs = randomGraph(pick)
    theirs.stacks.push({ key: 's2:eu', path: 's2' }, { key: 'acme/other//dns', path: 'dns', external: true })
    for (const stack of theirs.stacks) if (pick(3) === 0) stack.plan_output = 'summary'
    const graph = { ...theirs, stacks: theirs.stacks.filter(() => pick(4) > 0) }
    const kept = new Set(graph.stacks.map(({ key }) => key))
    graph.edges = graph.edges.filter((edge) =>
      [edge.from, edge.to].every(({ kind, key }) => kind === 'module' || kept.has(key)),
    )
    const changedPaths = theirs.stacks.flatMap(({ path }) => (pick(2) === 0 ? [`${path}/main.tf`] : []))
    const mine = ours[pick(2)] ?? theirConfig
    const under = (known: Graph) => {
      const input = { graph, changedPaths, config: mine, defaultBranch: { config: theirConfig, graph: known } }
      t.same(differingKeys(input), [])
      return resolve(input)
    }
    const whole = under(theirs)
    if (JSON.stringify(under(graphOutline(theirs))) !== JSON.stringify(whole)) return t.fail(`seed ${seed}`)
    found.summaries += whole.affected.filter(({ plan_output }) => plan_output === 'summary').length
    found.removed += whole.warnings.filter(({ code }) => code === 'stack_removed').length
  }
  t.ok(found.summaries > 100 && found.removed > 100, JSON.stringify(found))
  t.end()
})
