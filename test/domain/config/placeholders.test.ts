import t from 'tap'
import { applyPlace } from '#domain/config/apply-place.ts'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { compileGlob } from '#domain/config/glob.ts'
import { filled, placeholderProblem } from '#domain/config/placeholders.ts'
import { stackSettings, stackVariants, watchedPaths } from '#domain/config/stack-variants.ts'
import { config, graphOf, resolved, why } from '#test/domain/graph/graph-of.ts'

t.test('what placeholders stand for', async (t) => {
  const cases: [text: string, path: string, instance: string | undefined, is: string | undefined][] = [
    ['{path}|{name}|{dir}|{instance}', 'live/eu/app', 'blue', 'live/eu/app|app|eu|blue'],
    ['{path}|{name}|{dir}', 'app', undefined, 'app|app|.'],
    ['{path}|{name}|{dir}', '.', undefined, '.|.|.'],
    ['{name}{name}', 'a/b', undefined, 'bb'],
    ['env/{instance}.tfvars', 'app', undefined, undefined],
    ['{{instance}}', 'app', undefined, '{instance}'],
    ['{{{name}}}', 'app', undefined, '{{name}}'],
    ['{eu,us}{}{ name }{0}{', 'app', undefined, '{eu,us}{}{ name }{0}{'],
    ['a={b={c=1}}', 'app', undefined, 'a={b={c=1}}'],
    ['{name}', "a/$&-$'", undefined, "$&-$'"],
  ]
  for (const [text, path, instance, is] of cases) t.equal(filled(text, { path, instance }), is, `${text} of ${path}`)
})

t.test('an unknown placeholder is a problem that names the known ones, at its place', async (t) => {
  const text = `version: 1
stacks:
  - match: "**"
    workspace: "{nam}"
    environment: "{{name}}"
    var_files: [a.tfvars, "{stack}.tfvars"]
    backend_config: ["key={path}/{x}.tfstate", "{{x}}.hcl"]
    watch_paths: ["{a,b}/{dir}", "{shared}/**", "{name"]
    instances: { eu: { workspace: "{Instance}" } }
`
  const known = (word: string) =>
    `'{${word}}' is no placeholder: {path}, {name}, {dir}, {instance} are; {{${word}}} is the text {${word}}`
  const parsed = parseRepoConfig(text)
  t.same(
    parsed.ok ? [] : parsed.problems.map(({ line, column, key, message }) => [`${line}:${column}`, key, message]),
    [
      ['4:16', 'stacks[0].workspace', known('nam')],
      ['6:27', 'stacks[0].var_files[1]', known('stack')],
      ['7:22', 'stacks[0].backend_config[0]', known('x')],
      ['8:34', 'stacks[0].watch_paths[1]', known('shared')],
      [
        '8:49',
        'stacks[0].watch_paths[2]',
        "'{name' has a bracket that is not closed, or braces for more than 64 globs (or 1500 characters)",
      ],
      ['9:35', 'stacks[0].instances.eu.workspace', known('Instance')],
    ],
  )
  t.equal(placeholderProblem('{name}'.repeat(16)), undefined)
  t.equal(placeholderProblem('{name}'.repeat(17)), 'has more than 16 placeholders')
})

const templates = `
stacks:
  - match: "**"
    workspace: "{dir}-{instance}"
    environment: "{instance}"
    var_files: [../common.tfvars, "env/{instance}.tfvars"]
    backend_config: ["key={path}/{name}.tfstate", "../{instance}.hcl"]
    watch_paths: ["shared/{dir}/**", "policies/{instance}.rego"]
    instances: { eu: , us: { workspace: "{path}", var_files: ["{name}.tfvars"] } }
  - { match: dns, instances: { } }
  - { match: mail, instances: { }, workspace: "{path}" }
`

t.test('a stack has its settings with the placeholders replaced', async (t) => {
  const made = config(templates)
  const [eu, us] = stackVariants(made, 'aws/app/web')
  t.match(eu, {
    key: 'aws/app/web:eu',
    workspace: 'app-eu',
    environment: 'eu',
    var_files: ['../common.tfvars', 'env/eu.tfvars'],
    backend_config: ['key=aws/app/web/web.tfstate', '../eu.hcl'],
  })
  t.same(eu && watchedPaths(eu), ['shared/app/**', 'policies/eu.rego', 'aws/app/common.tfvars', 'aws/app/eu.hcl'])
  t.equal(us?.workspace, 'aws-app-web', 'a slash becomes a hyphen in a workspace')
  t.same(us?.var_files, ['../common.tfvars', 'env/us.tfvars', 'web.tfvars'])
  const [dns, ...others] = stackVariants(made, 'dns')
  t.same(others, [])
  t.match(dns, {
    key: 'dns',
    environment: 'default',
    var_files: ['../common.tfvars'],
    backend_config: ['key=dns/dns.tfstate'],
    watch_paths: ['shared/./**'],
  })
  t.notOk(dns && 'workspace' in dns, 'what names the instance is left out for a stack that is none')
  t.equal(stackVariants(made, 'mail')[0]?.workspace, 'mail')
})

t.test('an instance that the configuration does not know has the templates of its directory', async (t) => {
  const made = config(templates)
  t.match(stackSettings(made, { path: 'a/b', instance: 'new' }), {
    workspace: 'a-new',
    var_files: ['../common.tfvars', 'env/new.tfvars'],
  })
  t.equal(applyPlace(made, { path: 'a/b', instance: 'new' }).environment, 'new')
  t.equal(applyPlace(made, { path: 'a/b' }).environment, 'default')
})

t.test('in a glob, a path stands for itself', async (t) => {
  const [made] = stackVariants(config('stacks: [{ match: "**", watch_paths: ["x/{path}/*.{json,{name}}"] }]'), 'a*/[b]')
  const matches = compileGlob(made?.watch_paths[0] ?? '')
  const paths = ['x/a*/[b]/y.json', 'x/a*/[b]/y.[b]', 'x/ab/[b]/y.json', 'x/a*/b/y.json', 'x/a*/[b]/y.b']
  t.same(paths.filter(matches), ['x/a*/[b]/y.json', 'x/a*/[b]/y.[b]'])
})

t.test('a change of a file that a template names affects the stacks that name it', async (t) => {
  const graph = graphOf({ 'aws/app:eu': {}, 'aws/app:us': {}, 'aws/db:eu': {}, 'gcp/x:eu': {} })
  const cases: [path: string, why: string[]][] = [
    ['aws/app/env/eu.tfvars', ['aws/app:eu: changed']],
    ['aws/app/main.tf', ['aws/app:eu: changed', 'aws/app:us: changed']],
    ['aws/eu.hcl', ['aws/app:eu: watch_path', 'aws/db:eu: watch_path']],
    ['shared/gcp/a.json', ['gcp/x:eu: watch_path']],
    ['shared/az/a.json', []],
  ]
  for (const [path, told] of cases) t.same(why(resolved(graph, [path], { config: config(templates) })), told, path)
})

t.test('an instance plans anew when its template does', async (t) => {
  const graph = graphOf({ 'app:eu': {}, 'app:us': {}, other: {} })
  const before = 'stacks: [{ match: app, instances: { eu: , us: }, workspace: "{instance}" }]'
  const after = before.replace('"{instance}"', '"{name}-{instance}"')
  const answer = resolved(graph, ['svc.yml'], { config: config(after), defaultBranch: { config: config(before) } })
  t.same(why(answer), ['app:eu: changed', 'app:us: changed'])
  const spelled = before.replace('"{instance}"', 'eu').replace('us: }', 'us: { workspace: us } }')
  const same = resolved(graph, ['svc.yml'], { config: config(spelled), defaultBranch: { config: config(before) } })
  t.same(why(same), [], 'written out it is the same')
})
