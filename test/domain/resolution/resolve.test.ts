import t from 'tap'
import { config, graphOf, keys, resolved, why } from '#test/domain/graph/graph-of.ts'

t.test('what a changed path affects, and why', async (t) => {
  const graph = graphOf(
    {
      '.': {},
      'aws/net': {},
      'aws/net/peering': {},
      'aws/app': { reads: ['aws/net'], uses: ['modules/app'] },
      'aws/dns': { depends: ['aws/app'], watch_paths: ['vars/dns.tfvars', 'zones/', './tpl*/'] },
      'aws/logs': { watch_paths: ['vars/**/*.json', 'aws/net/peering/out.tf'] },
      'aws/both': { reads: ['aws/net'], depends: ['aws/net'], uses: ['modules/vpc', 'modules/app'] },
      'aws/own': { reads: ['aws/own'] },
      'modules/vpc/example': { uses: ['modules/vpc'] },
    },
    { 'modules/vpc': {}, 'modules/app': { uses: ['modules/vpc'] } },
  )
  const cases: [string, string[], string[]][] = [
    ['a file in its directory', ['aws/dns/main.tf'], ['aws/dns: changed']],
    ['a file in a directory below it that is no stack', ['aws/dns/files/a/b.json'], ['aws/dns: changed']],
    [
      'a file of a nested stack, which is not also the outer one',
      ['aws/net/peering/main.tf'],
      ['aws/net/peering: changed'],
    ],
    ['a file in no other stack belongs to the root', ['README.md'], ['.: changed']],
    ['the directory itself, as when it is a submodule', ['aws/dns'], ['aws/dns: changed']],
    ['a directory that only begins alike', ['aws/dnsx/main.tf'], ['.: changed']],
    ['a watched file', ['vars/dns.tfvars'], ['.: changed', 'aws/dns: watch_path']],
    ['a file in a watched directory', ['zones/a/b.txt'], ['.: changed', 'aws/dns: watch_path']],
    ['a file in a watched directory by glob', ['tpl-1/a/b'], ['.: changed', 'aws/dns: watch_path']],
    ['a watched glob', ['vars/eu/x.json'], ['.: changed', 'aws/logs: watch_path']],
    [
      'a watched file of another stack',
      ['aws/net/peering/out.tf'],
      ['aws/logs: watch_path', 'aws/net/peering: changed'],
    ],
    ['a path that no watch matches', ['vars/x.txt'], ['.: changed']],
    [
      'a module, and all its users, at any distance; and their dependents',
      ['modules/vpc/main.tf'],
      [
        '.: changed',
        'aws/app: module via modules/vpc',
        'aws/both: module via modules/vpc',
        'modules/vpc/example: module via modules/vpc',
        'aws/dns: dependent via aws/app',
      ],
    ],
    [
      "an example below a module is the example's own change",
      ['modules/vpc/example/main.tf'],
      ['modules/vpc/example: changed'],
    ],
    [
      'readers of its state, and their dependents',
      ['aws/net/main.tf'],
      [
        'aws/net: changed',
        'aws/app: reads_state via aws/net',
        'aws/both: reads_state dependent via aws/net',
        'aws/dns: dependent via aws/app',
      ],
    ],
    ['its own state does not count', ['aws/own/main.tf'], ['aws/own: changed']],
    [
      'several reasons, in the order of the interface',
      ['aws/net/main.tf', 'modules/vpc/main.tf', 'modules/app/main.tf', 'aws/both/main.tf'],
      [
        '.: changed',
        'aws/net: changed',
        'modules/vpc/example: module via modules/vpc',
        'aws/app: module reads_state via aws/net modules/app',
        'aws/both: changed module reads_state dependent via aws/net modules/app modules/vpc',
        'aws/dns: dependent via aws/app',
      ],
    ],
    ['nothing', [], []],
  ]
  for (const [name, paths, expected] of cases) t.same(why(resolved(graph, paths)), expected, name)
})

t.test('ignored paths affect nothing', async (t) => {
  const graph = graphOf({ a: {}, b: { watch_paths: ['docs/b.txt'] } })
  const ignoring = { config: config('ignore: ["**/*.md", docs/]') }
  t.same(why(resolved(graph, ['a/README.md', 'docs/b.txt'], ignoring)), [])
  t.same(why(resolved(graph, ['a/README.md', 'a/main.tf'], ignoring)), ['a: changed'])
})

t.test('instances of a directory', async (t) => {
  const graph = graphOf({ 'app:prod': {}, 'app:dev': {}, after: { depends: ['app:prod'] } })
  const instances = config(`
stacks:
  - match: app
    instances:
      prod: { workspace: p, var_files: [prod.tfvars, ../shared/prod.tfvars, main.tf] }
      dev: { watch_paths: [shared/dev.json] }
`)
  const under = (path: string) => why(resolved(graph, [path], { config: instances }))
  t.same(under('app/main.tf'), ['app:dev: changed', 'app:prod: changed', 'after: dependent via app:prod'])
  t.same(under('app/prod.tfvars'), ['app:prod: changed', 'after: dependent via app:prod'], 'a file given to only one')
  t.same(under('app/dev.tfvars').length, 3, 'a file given to none concerns all')
  t.same(under('shared/prod.tfvars'), ['app:prod: watch_path', 'after: dependent via app:prod'])
  t.same(under('shared/dev.json'), ['app:dev: watch_path'])
})

t.test('waves: a stack runs after everything that it depends on', async (t) => {
  const graph = graphOf({
    a: {},
    b: { depends: ['a'] },
    c: { reads: ['a', 'b'] },
    d: { depends: ['c', 'a'] },
    e: {},
    f: { depends: ['e'] },
  })
  const all = resolved(graph, ['a/x', 'e/x'])
  t.same(all.waves, [['a', 'e'], ['b', 'f'], ['c'], ['d']])
  t.same(
    all.affected.map(({ key, wave }) => `${key}${wave}`),
    ['a0', 'e0', 'b1', 'f1', 'c2', 'd3'],
  )
  t.same(resolved(graph, ['c/x']).waves, [['c'], ['d']], 'an unaffected stack takes no wave')
})

t.test('a restriction by stacks', async (t) => {
  const graph = graphOf({
    a: {},
    b: { depends: ['a'] },
    c: { depends: ['b'] },
    'd:eu': {},
    'd:us': { depends: ['d:eu'] },
    'acme/other//x': { external: true, repo: 'acme/other' },
  })
  const restrict = (names: string[]) => resolved(graph, ['a/main.tf'], { restrict: names })
  t.same(why(restrict(['a', 'c'])), ['a: changed requested', 'c: dependent requested via b'])
  t.same(restrict(['a', 'c']).waves, [['a'], ['c']], 'order is kept across the stack left out')
  t.same(why(restrict(['d:us'])), ['d:us: requested'], 'an unaffected stack is planned if it is asked for')
  t.same(restrict(['d']).waves, [['d:eu'], ['d:us']], 'a path stands for its instances')
  t.same(
    restrict(['nope', './b/', 'acme/other//x']).unknown,
    ['nope', 'acme/other//x'],
    'names that match no stack are reported',
  )
  t.same(keys(restrict([])), ['a', 'b', 'c'], 'an empty list restricts nothing')
  const unaffected = graphOf({ x: {}, y: { depends: ['x'] }, z: { reads: ['y'] } })
  t.same(
    resolved(unaffected, [], { restrict: ['z', 'x'] }).waves,
    [['x'], ['z']],
    'through stacks that are not affected',
  )
})

t.test('cycles are spelled and leave no waves', async (t) => {
  const graph = graphOf(
    {
      a: { depends: ['c'] },
      b: { depends: ['a'] },
      c: { reads: ['b'] },
      d: { depends: ['a'] },
      e: { depends: ['e'] },
      far: { depends: ['away'] },
      away: { depends: ['far'] },
      m: { uses: ['mod'] },
      n: { depends: ['m'] },
      own: { uses: ['reader'] },
    },
    { mod: { reads: ['n'] }, x: { uses: ['y'] }, y: { uses: ['x'] }, reader: { reads: ['own'] } },
  )
  const result = resolved(graph, ['b/f', 'e/f'])
  t.same(result.cycles, ['a → c → b → a', 'e → e'])
  t.same(result.waves, [])
  t.same(keys(result), ['a', 'b', 'c', 'd', 'e'])
  t.same(resolved(graph, ['m/f']).cycles, ['m → mod → n → m'], 'through a module that reads a state')
  t.same(
    resolved(graph, ['x/f', 'own/f']).cycles,
    [],
    'modules that use each other, and a stack that reads its own state',
  )
  t.same(resolved(graph, ['b/f'], { restrict: ['a'] }).cycles, ['a → c → b → a'], 'through stacks that are left out')
  t.same(resolved(graph, ['b/f'], { restrict: ['d'] }).cycles, [], 'not one of stacks that are all left out')
  const knot = graphOf({
    a: { depends: ['b', 'd'] },
    b: { depends: ['c'] },
    c: { depends: ['a'] },
    d: { depends: ['a'] },
  })
  t.same(resolved(knot, ['a/f']).cycles, ['a → d → a'], 'the shortest of a knot')
})

t.test('the description of an affected stack', async (t) => {
  const graph = graphOf({
    'a:eu': {
      environment: 'prod',
      tool: 'tofu',
      tool_version: '1.9.0',
      plan_output: 'summary',
      instance: 'eu',
      workspace: 'w',
    },
    b: {},
  })
  const told = resolved(graph, ['a/f', 'b/f'], { config: config('tool_version: 1.11.4') })
  t.same(told.affected, [
    {
      key: 'a:eu',
      path: 'a',
      wave: 0,
      reasons: ['changed'],
      via: [],
      environment: 'prod',
      tool: 'tofu',
      tool_version: '1.9.0',
      plan_output: 'summary',
      instance: 'eu',
      workspace: 'w',
    },
    {
      key: 'b',
      path: 'b',
      wave: 0,
      reasons: ['changed'],
      via: [],
      environment: 'default',
      tool: 'terraform',
      tool_version: '1.11.4',
      plan_output: 'full',
    },
  ])
})

t.test("the default branch's plan_output summary always wins", async (t) => {
  const graph = graphOf({ a: { plan_output: 'full' }, b: { plan_output: 'summary' } })
  const outputs = (defaultBranch: Parameters<typeof resolved>[2]) =>
    resolved(graph, ['a/f', 'b/f'], defaultBranch).affected.map(({ plan_output }) => plan_output)
  t.same(outputs({}), ['full', 'summary'])
  t.same(outputs({ defaultBranch: { config: config() } }), ['full', 'summary'], 'full there takes nothing back')
  t.same(outputs({ defaultBranch: { config: config('plan: { output: summary }') } }), ['summary', 'summary'])
  const oneStack = config('stacks: [{match: a, plan_output: summary}]')
  t.same(outputs({ config: config(), defaultBranch: { config: oneStack } }), ['summary', 'summary'])
  const inGraph = { config: config(), graph: graphOf({ a: { plan_output: 'summary' } }) }
  t.same(outputs({ defaultBranch: inGraph }), ['summary', 'summary'])
})
