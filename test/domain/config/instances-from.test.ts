import t from 'tap'
import { checkRepoConfig, parseRepoConfig } from '#domain/config/config-file.ts'
import { fileOfInstance } from '#domain/config/instances-from.ts'
import { stackVariants } from '#domain/config/stack-variants.ts'
import { config, graphOf, keys, resolved, why } from '#test/domain/graph/graph-of.ts'

const from = (pattern: string, more = '') => `stacks: [{ match: app, instances: { from: "${pattern}"${more} } }]`

const told = (yaml: string): string[] => {
  const parsed = parseRepoConfig(`version: 1\n${yaml}`)
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, column, key, message }) => `${line}:${column} ${key}: ${message}`)
}

t.test('what may be written', async (t) => {
  for (const pattern of ['env/*.tfvars', '*', 'a/*/b.json', '../{dir}/{name}-*.tfvars', './env/x*y', '*/'])
    t.same(told(from(pattern)), [], pattern)
  const no = (pattern: string) =>
    `2:43 stacks[0].instances.from: '${pattern}' is no path from the stack's directory with one '*' for the instance's name, such as env/*.tfvars`
  for (const pattern of ['env/eu.tfvars', '**/x', 'a*/b*', '/env/*', 'env/*.[ab]', '', 'a?/*'])
    t.same(told(from(pattern)), [no(pattern)], pattern)
  t.match(told(from('{instance}/*')), [/has \{instance}, which is what the '\*' stands for/])
  t.match(told(from('{nam}/*')), [/'\{nam}' is no placeholder: \{path}, /])
  t.match(told(from(`${'x'.repeat(300)}*`)), [/longer than 300 characters/])
  t.same(told(from('*.tfvars', ', eu: text')), ['2:59 stacks[0].instances.eu: expected a map of keys'])
  t.same(told(from('*.tfvars', ', us: { enviroment: x }, asia: 7')), [
    "2:61 stacks[0].instances.us.enviroment: 'enviroment' is not known here: did you mean 'environment'?",
    '2:84 stacks[0].instances.asia: expected a map of keys',
  ])
})

t.test('names, files, and an instance that is called from', async (t) => {
  const made = config(from('env/*.tfvars', ', eu: { environment: prod }'))
  t.match(checkRepoConfig(JSON.parse(JSON.stringify(made))), { ok: true, config: made }, 'an upload reads the same')
  const variants = (found?: string[]) =>
    stackVariants(made, 'app', found).map(({ key, environment }) => [key, environment])
  t.same(variants(['us', 'eu']), [
    ['app:eu', 'prod'],
    ['app:us', 'default'],
  ])
  t.same(variants(), [['app:eu', 'prod']])
  t.same(stackVariants(config(from('*.tfvars')), 'app'), [], 'without a file there is no stack')
  t.same(
    stackVariants(config('stacks: [{ match: app, instances: { from: { workspace: w } } }]'), 'app').map(
      ({ key }) => key,
    ),
    ['app:from'],
  )
  t.equal(fileOfInstance('../env/{name}/*.tfvars', { path: 'live/a*', instance: 'eu' }), 'live/env/a*/eu.tfvars')
  t.equal(fileOfInstance('../../*.tfvars', { path: 'app', instance: 'eu' }), undefined, 'out of the repository')
})

const warned = ({ warnings }: ReturnType<typeof resolved>) =>
  warnings.map(({ code, stacks }) => `${code} ${stacks?.join(' ')}`)

t.test('the file of an instance is its own', async (t) => {
  const graph = graphOf({ 'app:eu': {}, 'app:us': {}, other: {} })
  const inside = { config: config(from('env/*.json')) }
  t.same(why(resolved(graph, ['app/env/eu.json'], inside)), ['app:eu: changed'])
  t.same(why(resolved(graph, ['app/env/common.yml'], inside)), ['app:eu: changed', 'app:us: changed'])
  const outside = { config: config(from('../env/{name}-*.json')) }
  t.same(why(resolved(graph, ['env/app-us.json'], outside)), ['app:us: watch_path'])
})

t.test('an instance comes and goes with its file', async (t) => {
  const here = config(from('env/*.json'))
  const before = graphOf({ 'app:eu': {}, 'app:us': {} })
  const after = graphOf({ 'app:asia': {}, 'app:us': {} })
  const changes = ['app/env/eu.json', 'app/env/asia.json']
  const moved = resolved(after, changes, { config: here, defaultBranch: { config: here, graph: before } })
  t.same(why(moved), ['app:asia: changed'])
  t.same(warned(moved), ['stack_removed app:eu'])
})

t.test('a pull request hides no instance by another from', async (t) => {
  const there = config(from('env/*.json'))
  const before = graphOf({ 'app:eu': {}, 'app:us': {} })
  const hiding: [what: string, yaml: string][] = [
    ['other files', from('envs/*.json', ', us: ')],
    ['only named ones', 'stacks: [{ match: app, instances: { us: } }]'],
  ]
  for (const [what, yaml] of hiding) {
    const input = { config: config(yaml), defaultBranch: { config: there, graph: before } }
    const after = graphOf({ 'app:us': {} })
    const kept = resolved(after, ['svc.yml', 'app/env/eu.json'], input)
    t.same(keys(kept), ['app:eu', 'app:us'], what)
    t.same(
      kept.addedStacks.map(({ key }) => key),
      ['app:eu'],
    )
    const gone = resolved(after, ['svc.yml', 'app/env/eu.json'], { ...input, gonePaths: ['app/env/eu.json'] })
    t.same([keys(gone), warned(gone).at(-1)], [['app:us'], 'stack_removed app:eu'], `${what}, and the file is gone`)
  }
})
