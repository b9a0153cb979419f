import t from 'tap'
import { defaultView } from '#domain/resolution/default-view.ts'
import type { Resolution, ResolveInput } from '#domain/resolution/resolve.ts'
import { config, graphOf, keys, resolved, why } from '#test/domain/graph/graph-of.ts'

/*
 * The uploaded configuration decides the affected set but cannot shrink it: one test for each way of trying, with what the pull
 * request's svc.yml says, what the default branch's says, and the result.
 */

const warned = ({ warnings }: Resolution): string[] =>
  warnings.map(({ code, keys: names, stacks }) => `${code}: ${(names ?? stacks ?? []).join(' ')}`)

type Both = { here: string; there: string } & Partial<ResolveInput>

const both = (graph: ResolveInput['graph'], paths: string[], { here, there, defaultBranch, ...rest }: Both) =>
  resolved(graph, paths, {
    config: config(here),
    defaultBranch: { config: config(there), graph: defaultBranch?.graph },
    ...rest,
  })

t.test('equal configurations are resolved once, however they are written', async (t) => {
  const graph = graphOf({ a: {}, b: { depends: ['a'] } })
  const result = both(graph, ['a/f'], {
    here: 'ignore: [x, y]\nstacks: [{match: b, depends_on: [a], watch_paths: [w]}]',
    there:
      'ignore: [y, x]\nstacks: [{match: "*", environment: e}, {match: b, watch_paths: [w]}, {match: b, depends_on: [a]}]\napply: {mode: off}',
  })
  t.same(warned(result), [])
  t.same(why(result), ['a: changed', 'b: dependent via a'])
})

t.test('hiding by ignore', async (t) => {
  const graph = graphOf({ a: {}, b: { reads: ['a'] }, c: {} })
  const result = both(graph, ['a/main.tf', 'c/main.tf'], { here: 'ignore: ["a/**"]', there: 'ignore: ["docs/**"]' })
  t.same(why(result), ['a: changed', 'c: changed', 'b: reads_state via a'])
  t.same(warned(result), ['config_keys_differ: ignore', 'planned_by_default_branch_config: a b'])
  t.match(result.warnings[0]?.message, /ignore/)
  t.match(result.warnings[1]?.message, /a, b/)
})

t.test('ignoring less is believed', async (t) => {
  const result = both(graphOf({ a: {} }), ['a/README.md'], { here: '', there: 'ignore: ["**/*.md"]' })
  t.same(why(result), ['a: changed'])
  t.same(warned(result), ['config_keys_differ: ignore'])
})

t.test('hiding by dropping depends_on', async (t) => {
  const there = 'stacks: [{match: b, depends_on: [a]}, {match: c, depends_on: [b]}]'
  const result = both(graphOf({ a: {}, b: {}, c: {} }), ['a/f'], { here: '', there })
  t.same(why(result), ['a: changed', 'b: dependent via a', 'c: dependent via b'])
  t.same(result.waves, [['a'], ['b'], ['c']], 'and they are ordered as the default branch says')
  t.same(
    result.addedEdges.map(({ from, to, type }) => `${from.key} ${type} ${to.key}`),
    ['b depends_on a', 'c depends_on b'],
  )
  t.same(warned(result), [
    'config_keys_differ: stacks[b].depends_on stacks[c].depends_on',
    'planned_by_default_branch_config: b c',
  ])
})

t.test(
  'a dependency that code has stays the default branch’s, though the pull request’s svc.yml names it too',
  async (t) => {
    const graph = graphOf({ a: {}, b: {} })
    const [from, to] = [
      { kind: 'stack', key: 'b' },
      { kind: 'stack', key: 'a' },
    ] as const
    graph.edges.push({ from, to, type: 'depends_on', inferred: true })
    const here = config('stacks: [{match: b, depends_on: [a]}]')
    const view = defaultView({
      graph,
      config: here,
      defaultConfig: config(''),
      defaultGraph: undefined,
      isGone: () => false,
    })
    t.match(view.edges.flat(), [{ from, to, inferred: true }])
  },
)

t.test('a reversed dependency: both are planned, in the new order, and it is not a cycle', async (t) => {
  const graph = graphOf({ a: { depends: ['b'], config: { depends_on: ['b'] } }, b: {} })
  const result = both(graph, ['a/f'], {
    here: 'stacks: [{match: a, depends_on: [b]}]',
    there: 'stacks: [{match: b, depends_on: [a]}]',
  })
  t.same(why(result), ['b: dependent via a', 'a: changed'])
  t.same(result.cycles, [])
  t.same(result.waves, [['b'], ['a']])
  t.same(result.addedEdges, [])
})

t.test('the affected sets are united, not the graphs', async (t) => {
  const graph = graphOf({ a: {}, b: { depends: ['a'], config: { depends_on: ['a'] } }, c: {} })
  const result = both(graph, ['a/f'], {
    here: 'stacks: [{match: b, depends_on: [a]}]',
    there: 'stacks: [{match: c, depends_on: [b]}]',
  })
  t.same(why(result), ['a: changed', 'b: dependent via a'], 'c depends on b only where b does not depend on a')
})

t.test('hiding by dropping watch_paths, or files that the tool is given by name', async (t) => {
  const graph = graphOf({ a: {}, b: { depends: ['a'] } })
  for (const [key, there, path] of [
    ['watch_paths', '["shared/**"]', 'shared/x/y'],
    ['var_files', '[../shared/a.tfvars]', 'shared/a.tfvars'],
    ['backend_config', '[../shared/b.hcl, key=x]', 'shared/b.hcl'],
  ] as const) {
    const result = both(graph, [path], { here: '', there: `stacks: [{match: a, ${key}: ${there}}]` })
    t.same(why(result), ['a: watch_path', 'b: dependent via a'], there)
    t.same(warned(result)[0], `config_keys_differ: stacks[a].${key}`)
  }
})

t.test('a watched file of the graph is still watched if the uploaded configuration names it', async (t) => {
  const graph = graphOf({ a: { watch_paths: ['w'] }, b: {} })
  const result = both(graph, ['w'], {
    here: 'stacks: [{match: a, watch_paths: [w]}]',
    there: 'stacks: [{match: b, depends_on: [a]}]',
  })
  t.same(why(result), ['a: watch_path', 'b: dependent via a'])
})

t.test('hiding by discover', async (t) => {
  const before = graphOf({ a: {}, 'b/x': { depends: ['a'], environment: 'prod' }, c: {} })
  const graph = graphOf({ a: {}, c: { reads: [] } })
  for (const here of ['discover: {exclude: ["b/**"]}', 'discover: {include: [a, c]}']) {
    const result = both(graph, ['b/x/main.tf'], { here, there: '', defaultBranch: { config: config(), graph: before } })
    t.same(why(result), ['b/x: changed'], here)
    t.same(result.affected[0]?.environment, 'prod')
    t.same(
      result.addedStacks.map(({ key }) => key),
      ['b/x'],
    )
    t.match(warned(result), [/^config_keys_differ: discover\./, /^planned_by_default_branch_config: b\/x$/])
  }
})

t.test('hiding by no longer naming a directory in full, where a glob takes it for a module', async (t) => {
  const before = graphOf({ a: {}, 'modules/run': { reads: ['a'] } })
  const input = {
    here: '',
    there: 'discover: {include: ["**", modules/run]}',
    defaultBranch: { config: config(), graph: before },
  }
  for (const path of ['modules/run/main.tf', 'a/main.tf']) {
    const result = both(graphOf({ a: {} }), [path], input)
    t.same(
      result.addedStacks.map(({ key }) => key),
      ['modules/run'],
      path,
    )
  }
  const gone = both(graphOf({ a: {} }), ['modules/run/main.tf'], { ...input, gonePaths: ['modules/run'] })
  t.same(warned(gone), ['config_keys_differ: discover.include', 'stack_removed: modules/run'])
})

t.test('a directory named in both instances means the same instance under both configurations', async (t) => {
  const instances = 'instances: {eu: {}, us: {}}'
  const graph = graphOf({ 'net:eu': {}, 'net:us': {}, 'app:eu': {}, 'app:us': {}, dns: {} })
  const result = both(graph, ['net/eu.tfvars'], {
    here: `stacks: [{match: net, instances: {eu: {var_files: [eu.tfvars]}, us: {}}}, {match: app, ${instances}}]`,
    there: `stacks: [{match: net, instances: {eu: {var_files: [eu.tfvars]}, us: {}}}, {match: app, depends_on: [net], ${instances}}, {match: dns, depends_on: [net]}]`,
  })
  t.same(why(result), ['net:eu: changed', 'app:eu: dependent via net:eu', 'dns: dependent via net:eu'])
})

t.test('a hidden stack found by what it depends on, and what depends on it', async (t) => {
  const before = graphOf(
    { a: {}, hid: { reads: ['a'], uses: ['modules/m'] }, c: { reads: ['hid'] } },
    { 'modules/m': {} },
  )
  const graph = graphOf({ a: {}, c: {} })
  const hidden = (paths: string[]) =>
    both(graph, paths, {
      here: 'discover: {exclude: [hid]}',
      there: '',
      defaultBranch: { config: config(), graph: before },
    })
  const result = hidden(['a/f'])
  t.same(why(result), ['a: changed', 'hid: reads_state via a', 'c: reads_state via hid'])
  t.same(result.waves, [['a'], ['hid'], ['c']])
  t.same(
    result.addedEdges.map(({ from, to }) => `${from.key} ${to.key}`),
    ['hid a', 'c hid'],
  )
  t.same(why(hidden(['modules/m/f'])), ['hid: module via modules/m', 'c: reads_state via hid'])
  t.same(hidden(['c/f']).addedStacks, [], 'one that is not affected is not added')
})

t.test('a hidden stack whose directory the pull request deletes is reported as removed', async (t) => {
  const before = graphOf({ a: {}, hid: {}, c: { depends: ['hid'] } })
  const input = {
    here: 'discover: {exclude: [hid]}',
    there: '',
    defaultBranch: { config: config(), graph: before },
    gonePaths: ['hid'],
  }
  const result = both(graphOf({ a: {}, c: {} }), ['hid/main.tf', 'a/f'], input)
  t.same(keys(result), ['a'])
  t.same(warned(result), ['config_keys_differ: discover.exclude', 'stack_removed: hid'])
  t.match(result.warnings[1]?.message, /a stack removed with its directory and not planned: hid/)
})

t.test('a deleted stack that nobody hides is reported as removed too', async (t) => {
  const before = graphOf({ a: {}, old: {}, elsewhere: {}, 'inst:eu': {} })
  const result = both(graphOf({ a: {}, 'inst:us': {} }), ['old/main.tf', 'a/f', 'inst/f'], {
    here: '',
    there: '',
    defaultBranch: { config: config(), graph: before },
  })
  t.same(warned(result), ['stack_removed: old'])
  t.same(keys(result), ['a', 'inst:us'])
})

t.test('hiding by instances', async (t) => {
  const there = 'stacks: [{match: app, instances: {eu: {workspace: eu}, us: {}}}]'
  const before = graphOf({ 'app:eu': { workspace: 'eu', instance: 'eu' }, 'app:us': {} })
  const dropped = both(graphOf({ 'app:us': {} }), ['app/main.tf'], {
    here: 'stacks: [{match: app, instances: {us: {}}}]',
    there,
    defaultBranch: { config: config(), graph: before },
  })
  t.same(why(dropped), ['app:eu: changed', 'app:us: changed'])
  t.same(warned(dropped), ['config_keys_differ: stacks[app].instances', 'planned_by_default_branch_config: app:eu'])
  t.same([dropped.affected[0]?.instance, dropped.affected[0]?.workspace], ['eu', 'eu'])

  const narrowed = both(graphOf({ 'app:eu': {}, 'app:us': {} }), ['app/data.tfvars'], {
    here: 'stacks: [{match: app, instances: {eu: {}, us: {var_files: [data.tfvars]}}}]',
    there: 'stacks: [{match: app, instances: {eu: {}, us: {}}}]',
  })
  t.same(keys(narrowed), ['app:eu', 'app:us'], 'a file given to only one instance here concerns all there')
})

t.test('hiding files behind a nested directory that is made a stack', async (t) => {
  const graph = graphOf({ a: {}, 'a/files': {} })
  const result = both(graph, ['a/files/x.tpl'], { here: '', there: 'discover: {exclude: ["a/files"]}' })
  t.same(why(result), ['a: changed', 'a/files: changed'])
})

t.test('new stacks and instances that only the uploaded configuration knows are planned as it says', async (t) => {
  const graph = graphOf({ new: {}, 'app:eu': {}, dep: { depends: ['new'], config: { depends_on: ['new'] } } })
  const result = both(graph, ['new/f', 'app/f'], {
    here: 'stacks: [{match: app, instances: {eu: {}}}, {match: dep, depends_on: [new]}]',
    there: 'discover: {exclude: [new]}',
  })
  t.same(why(result), ['app:eu: changed', 'new: changed', 'dep: dependent via new'])
})

t.test('an instance that neither configuration declares is taken from the graph and hidden by neither', async (t) => {
  const graph = graphOf({ 'app:eu': { workspace: 'eu' } })
  const result = both(graph, ['app/f'], { here: 'ignore: ["app/**"]', there: '' })
  t.same(why(result), ['app:eu: changed'])
})

t.test('a restriction may name a hidden stack', async (t) => {
  const before = graphOf({ a: {}, hid: {} })
  const input = { here: 'discover: {exclude: [hid]}', there: '', defaultBranch: { config: config(), graph: before } }
  const result = both(graphOf({ a: {} }), ['a/f'], { ...input, restrict: ['hid'] })
  t.same(why(result), ['hid: requested'])
  t.same(both(graphOf({ a: {} }), ['hid/f', 'a/f'], { ...input, restrict: ['a'] }).addedStacks, [])
})
