import t from 'tap'
import { explainer } from '#domain/explain/explain.ts'
import { readAloud } from '#domain/explain/read-aloud.ts'
import { resolve } from '#domain/resolution/resolve.ts'
import { config, graphOf } from '#test/domain/graph/graph-of.ts'
import { randomGraph } from '#test/domain/graph/random-graph.ts'
import { random } from '#test/helpers/random.ts'

const graph = graphOf(
  {
    net: { uses: ['modules/vpc'] },
    'net/peering': {},
    app: { reads: ['net'], uses: ['modules/app'] },
    dns: { depends: ['app'], watch_paths: ['vars/dns.tfvars', 'zones/'] },
    alone: {},
  },
  { 'modules/vpc': {}, 'modules/app': { uses: ['modules/log'] }, 'modules/log': {} },
)

const explained = (key: string, changedPaths: string[], yaml = '') => {
  const found = explainer({ graph, config: config(yaml), changedPaths })(key)
  if (found === undefined) throw new Error(`there is no stack ${key}`)
  return found
}

const read = (key: string, changedPaths: string[], yaml?: string): string[] =>
  readAloud(explained(key, changedPaths, yaml))

t.test('why a stack is affected, read aloud', async (t) => {
  const table: [says: string, key: string, changed: string[], aloud: string[]][] = [
    ['its own file', 'net', ['net/main.tf'], ['net is affected: net/main.tf changed, in its directory']],
    [
      'several of its files',
      'net',
      ['net/a.tf', 'net/b.tf', 'net/c.tf'],
      ['net is affected: net/a.tf, net/b.tf and net/c.tf changed, in its directory'],
    ],
    [
      'many of its files',
      'net',
      Array.from({ length: 12 }, (_, i) => `net/${i}.tf`),
      ['net is affected: net/0.tf, net/1.tf, net/2.tf, net/3.tf, net/4.tf and 7 more changed, in its directory'],
    ],
    ['a module', 'net', ['modules/vpc/main.tf'], ['net is affected: modules/vpc/main.tf changed, which it uses']],
    [
      'a module of a module',
      'app',
      ['modules/log/main.tf'],
      ['app is affected: it uses modules/app, which uses modules/log, where modules/log/main.tf changed'],
    ],
    [
      'a state that it reads',
      'app',
      ['net/main.tf'],
      ['app is affected: it reads the state of net, where net/main.tf changed'],
    ],
    [
      'a module of what it depends on',
      'dns',
      ['modules/app/x.tf'],
      ['dns is affected: it depends on app, which uses modules/app, where modules/app/x.tf changed'],
    ],
    [
      'the whole way',
      'dns',
      ['modules/vpc/x.tf'],
      [
        'dns is affected: it depends on app, which reads the state of net, which uses modules/vpc, where modules/vpc/x.tf changed',
      ],
    ],
    ['a watched file', 'dns', ['vars/dns.tfvars'], ['dns is affected: vars/dns.tfvars changed, which it watches']],
    [
      'a watched directory',
      'dns',
      ['zones/a.txt'],
      ["dns is affected: zones/a.txt changed, matched by 'zones/' of watch_paths"],
    ],
    [
      'several causes',
      'app',
      ['app/main.tf', 'net/main.tf', 'modules/app/x.tf'],
      [
        'app is affected:',
        '  app/main.tf changed, in its directory',
        '  it reads the state of net, where net/main.tf changed',
        '  modules/app/x.tf changed, which it uses',
      ],
    ],
  ]
  for (const [says, key, changed, aloud] of table) t.same(read(key, changed), aloud, says)
})

t.test('why a stack is not affected, read aloud', async (t) => {
  t.same(
    read(
      'alone',
      ['net/main.tf', 'net/peering/x.tf', 'modules/app/x.tf', 'README.md', 'docs/a.md'],
      'ignore: [docs/**]',
    ),
    [
      'alone is not affected: none of the 5 changed files concerns it',
      '  net/main.tf: belongs to net',
      '  net/peering/x.tf: belongs to net/peering',
      '  modules/app/x.tf: is part of module modules/app',
      '  README.md: is in the directory of no stack and of no module that is used',
      "  docs/a.md: left out by 'ignore' of svc.yml",
      '  it follows changes in alone',
    ],
  )
  t.same(read('dns', ['net/peering/x.tf']), [
    'dns is not affected: the one changed file does not concern it',
    '  net/peering/x.tf: belongs to net/peering',
    '  it follows changes in dns',
    '  it watches vars/dns.tfvars and zones/',
    '  it comes after app',
  ])
  t.same(read('net', []), ['net is not affected: nothing changed', '  it follows changes in net and modules/vpc'])
  const many = Array.from({ length: 25 }, (_, i) => `x/${i}.md`)
  t.match(read('net', many).slice(20), ['  x/19.md: is in', '  and 5 more files', '  it follows changes in net'])
})

t.test('a block that calls a module is named with its place', async (t) => {
  const { causes, ...rest } = explained('net', ['modules/vpc/main.tf'])
  const steps = causes[0]?.steps.map((step) => ({ ...step, name: 'vpc', place: 'net/main.tf:3' })) ?? []
  t.same(readAloud({ ...rest, causes: [{ ...causes[0]!, steps }] }), [
    'net is affected: modules/vpc/main.tf changed, which it uses as module "vpc" (net/main.tf:3)',
  ])
})

t.test('svc.yml: settings that it changes, and what it would hide', async (t) => {
  const before = config('')
  const settings = explainer({
    ...{ graph, config: config('stacks: [{ match: net, tool_version: 1.9.0 }]'), changedPaths: ['svc.yml'] },
    defaultBranch: { config: before, graph },
  })
  t.same(readAloud(settings('net')!), ['net is affected: svc.yml changed its settings'])
  t.same(readAloud(settings('app')!), [
    'app is affected: it reads the state of net, where svc.yml changed the settings of that',
  ])
  const hiding = explainer({
    ...{ graph, config: config('ignore: ["net/*.tf"]'), changedPaths: ['svc.yml', 'net/main.tf'] },
    defaultBranch: { config: before, graph },
  })
  t.same(readAloud(hiding('net')!), [
    "net is affected under the default branch's svc.yml: net/main.tf changed, in its directory",
  ])
  t.equal(hiding('nothing'), undefined)
})

t.test('what is explained is what resolution finds, on random graphs', async (t) => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const pick = random(seed)
    const some = randomGraph(pick)
    const nodes = [...some.stacks, ...some.modules].map(({ path }) => path ?? '')
    const changedPaths = nodes.filter(() => pick(4) === 0).map((path) => `${path}/main.tf`)
    const input = { graph: some, config: config(''), changedPaths }
    const resolved = new Map(resolve(input).affected.map(({ key, reasons }) => [key, reasons]))
    const explain = explainer(input)
    const wrong = some.stacks.filter(({ key }) => {
      const { affected, causes, reasons } = explain(key)!
      const isSame = String(reasons) === String(resolved.get(key) ?? [])
      // a cause for every affected stack, each with a reason that holds, a way that begins at it, and a file that changed
      const isSound = causes.every(
        ({ reason, steps, files }) =>
          reasons.includes(reason) &&
          (steps.length === 0 || steps[0]?.from === key) &&
          steps.every((step, i) => i === 0 || step.from === steps[i - 1]?.to) &&
          files.every((file) => changedPaths.includes(file)),
      )
      return !isSame || !isSound || affected !== causes.length > 0
    })
    if (wrong.length > 0) t.fail(`seed ${seed}: ${wrong.map(({ key }) => key)}`)
  }
  t.ok(true)
})
