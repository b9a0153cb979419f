import t from 'tap'
import { dependsOnEdges } from '#runner/scan/edges/depends-on.ts'
import { config, graphOf, keys, resolved, why } from './graph-of.ts'

/* What counts as an edge, and what an edge means: written dependencies, modules, states, other repositories. */

t.test('depends_on of nodes and of the configuration counts like edges', async (t) => {
  const graph = graphOf({
    'net:eu': {},
    'net:us': {},
    app: {},
    web: { config: { depends_on: ['app', 'gone', 'acme/infra//dns'] } },
    dns: {},
  })
  const depending = config('stacks: [{match: app, depends_on: [net]}]')
  t.same(why(resolved(graph, ['net/main.tf', 'dns/main.tf'], { config: depending })), [
    'dns: changed',
    'net:eu: changed',
    'net:us: changed',
    'app: dependent via net:eu net:us',
    'web: dependent via app dns',
  ])
})

t.test('a depends_on entry that names a directory of instances', async (t) => {
  const cases: [what: string, dependent: string, entry: string, meant: string[]][] = [
    ['means the instance of the same name', 'app:eu', 'net', ['net:eu']],
    ['means all if there is none of that name', 'app:asia', 'net', ['net:eu', 'net:us']],
    ['means all if the dependent is not an instance', 'dns', 'net', ['net:eu', 'net:us']],
    ['but a key is a key', 'app:eu', 'net:us', ['net:us']],
    ['however it is written', 'app:eu', './net/', ['net:eu']],
    ['with the repository before it', 'app:eu', 'Acme/Infra//net', ['net:eu']],
    ['another repository has its own', 'app:eu', 'acme/other//net', []],
  ]
  for (const [what, dependent, entry, meant] of cases) {
    const entries = { depends_on: [entry] }
    const plain = graphOf({ 'net:eu': {}, 'net:us': {}, [dependent]: {} })
    const saying = graphOf({ 'net:eu': {}, 'net:us': {}, [dependent]: { config: entries } })
    const depending = config(`stacks: [{match: "{app,dns}", depends_on: ["${entry}"]}]`)
    const via = ({ affected }: ReturnType<typeof resolved>) => affected.find(({ key }) => key === dependent)?.via ?? []
    t.same(via(resolved(saying, ['net/main.tf'])), meant, `${what}: on the node`)
    t.same(via(resolved(plain, ['net/main.tf'], { config: depending })), meant, `${what}: in the configuration`)
    const scanned = dependsOnEdges(saying.stacks, saying.repo, () => {}).edges.map(({ to }) => to.key)
    const local = scanned.filter((key) => !key.startsWith('acme/'))
    t.same(local, meant, `${what}: as a scan writes it`)
  }
})

t.test('a glob of depends_on', async (t) => {
  const others = { 'net/a': {}, 'net/b:eu': {}, 'net/b:us': {}, 'net/c/d': {}, 'x/e:eu': {}, 'net]': {} }
  const cases: [what: string, dependent: string, entry: string, meant: string[]][] = [
    ['means each directory that it matches', 'dns', 'net/*', ['net/a', 'net/b:eu', 'net/b:us']],
    ['the instance of the same name, where there is one', 'app:eu', 'net/*', ['net/a', 'net/b:eu']],
    ['and all where there is none', 'app:asia', 'net/**', ['net/a', 'net/b:eu', 'net/b:us', 'net/c/d']],
    ['means each key that it matches', 'dns', '**/*:eu', ['net/b:eu', 'x/e:eu']],
    ['with alternatives', 'dns', '{x,net}/{a,e}', ['net/a', 'x/e:eu']],
    ['however it is written', 'dns', './net/c/*/', ['net/c/d']],
    ['with the repository before it', 'dns', 'acme/infra//net/?', ['net/a', 'net/b:eu', 'net/b:us']],
    ['never another repository', 'dns', 'acme/other//net/*', []],
    ['that matches nothing means nothing', 'dns', 'nat/*', []],
    ['leaves out the stack itself, and the others for a stack that it matches', 'net/z', 'net/**', []],
    ['an instance, too', 'x/z:eu', '**/*:eu', []],
    ['but a directory is a directory', 'dns', 'net]', ['net]']],
  ]
  for (const [what, dependent, entry, meant] of cases) {
    const plain = graphOf({ ...others, [dependent]: {} })
    const saying = graphOf({ ...others, [dependent]: { config: { depends_on: [entry] } } })
    const { path } = plain.stacks.at(-1) ?? { path: '' }
    const depending = config(entry === 'net]' ? '' : `stacks: [{match: "${path}", depends_on: ["${entry}"]}]`)
    const of = ({ affected }: ReturnType<typeof resolved>) => affected.find(({ key }) => key === dependent)?.via ?? []
    const changes = ['net/a/f', 'net/b/f', 'net/c/d/f', 'x/e/f', 'net]/f', 'net/z/f', 'x/z/f']
    t.same(of(resolved(saying, changes)), meant, `${what}: on the node`)
    if (entry !== 'net]') t.same(of(resolved(plain, changes, { config: depending })), meant, `${what}: in svc.yml`)
    const scanned = dependsOnEdges(saying.stacks, saying.repo, () => {}).edges.map(({ to }) => to.key)
    t.same(scanned.sort(), meant, `${what}: as a scan writes it`)
  }
  const warned: string[] = []
  const mistaken = graphOf({ dns: { config: { depends_on: ['nat/*', 'acme/other//net/*', 'dns'] } } })
  dependsOnEdges(mistaken.stacks, mistaken.repo, ({ message }) => warned.push(message))
  t.same(warned, [
    'dns depends on nat/*, which matches no stack of this repository',
    'dns depends on acme/other//net/*, a glob: stacks of other repositories are named in full',
  ])
})

t.test('everything may wait for a group, which waits for nothing', async (t) => {
  const graph = graphOf({ 'base/a': {}, 'base/b': {}, app: {}, web: {} })
  const waiting = config('stacks: [{ match: "**", depends_on: ["base/*"] }]')
  const answer = resolved(graph, ['base/a/f'], { config: waiting })
  t.same([answer.waves, answer.cycles], [[['base/a'], ['app', 'web']], []])
})

t.test('edges and globs are bounded', async (t) => {
  const listed = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}/${i}`, {}]))
  const many = graphOf({ ...listed(500, 'a'), ...listed(500, 'b') })
  const waiting = config('stacks: [{ match: "a/*", depends_on: ["b/*"] }]')
  t.throws(() => resolved(many, [], { config: waiting }), {
    message: 'depends_on makes more than 200000 edges, at a/400: name fewer stacks',
  })
  const globs = Array.from({ length: 450 }, (_, i) => `"*${'x'.repeat(250)}${i}"`)
  t.throws(() => resolved(many, [], { config: config(`stacks: [{ match: a/0, depends_on: [${globs}] }]`) }), {
    message: /^depends_on has too many globs for 1000 stacks, at '\*x+\d+'$/,
  })
})

t.test('a pinned version of a local module is not changed by a change of that module here', async (t) => {
  const from = (kind: 'stack' | 'module', key: string, meta: object) =>
    ({ from: { kind, key }, to: { kind: 'module', key: 'vpc' }, type: 'uses_module', meta }) as const
  const graph = graphOf(
    { pinned: {}, path: {}, both: {}, unpinned: {}, through: { uses: ['outer'] } },
    { vpc: {}, outer: {} },
  )
  const pin = { ref: 'v1.2.0', source: 'git::https://github.com/acme/infra//vpc?ref=v1.2.0' }
  const source = { source: '../vpc' }
  graph.edges.push(
    from('stack', 'pinned', pin),
    from('stack', 'path', source),
    from('stack', 'both', pin),
    from('stack', 'both', source),
    from('stack', 'unpinned', { source: 'git::https://github.com/acme/infra//vpc' }),
    from('module', 'outer', pin),
  )
  t.same(why(resolved(graph, ['vpc/main.tf'])), [
    'both: module via vpc',
    'path: module via vpc',
    'unpinned: module via vpc',
  ])
})

t.test('a module that reads a state passes it on to its users', async (t) => {
  const graph = graphOf(
    { net: {}, app: { uses: ['outer'] } },
    { outer: { uses: ['inner'] }, inner: { reads: ['net'] } },
  )
  const result = resolved(graph, ['net/f'])
  t.same(why(result), ['net: changed', 'app: reads_state via outer'])
  t.same(result.waves, [['net'], ['app']])
})

t.test('stacks of other repositories are listed and never planned', async (t) => {
  const graph = graphOf({
    net: { depends: ['acme/core//dns'] },
    app: { reads: ['acme/core//dns'], depends: ['net'] },
    idle: { depends: ['acme/core//iam'] },
    'acme/core//dns': { external: true, repo: 'acme/core', path: 'dns' },
    'acme/core//iam': { external: true, path: 'iam' },
    'acme/shop//web': { external: true, path: 'web', depends: ['app'] },
  })
  const result = resolved(graph, ['net/f', 'dns/f'])
  t.same(keys(result), ['app', 'net'])
  t.same(result.external, [
    { key: 'acme/core//dns', repo: 'acme/core', relation: 'dependency', type: 'depends_on', stacks: ['net'] },
    { key: 'acme/core//dns', repo: 'acme/core', relation: 'dependency', type: 'reads_state', stacks: ['app'] },
    { key: 'acme/shop//web', repo: 'acme/shop', relation: 'dependent', type: 'depends_on', stacks: ['app'] },
  ])
  t.same(resolved(graph, ['idle/f']).external, [
    { key: 'acme/core//iam', repo: 'acme/core', relation: 'dependency', type: 'depends_on', stacks: ['idle'] },
  ])
})
