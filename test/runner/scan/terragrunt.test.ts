// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { localAnswer } from '#runner/resolve/local-answer.ts'
import { configOf, scanDir, scanTree } from './scan-tree.ts'

const fixture = join(import.meta.dirname, '../../fixtures/terragrunt')

/** The fixture without this repository's git around it. */
const copied = (test: { testdir: () => string }): string => {
  const dir = test.testdir()
  cpSync(fixture, dir, { recursive: true })
  return dir
}

const generated = 'live/stage/.terragrunt-stack'

/** What a person reads out of the fixture. */
const expected: [stack: string, state: string | undefined, comesAfter: string[], runs: string[], watches: string[]][] =
  [
    ['legacy/queue', '/legacy/states/queue/terraform.tfstate', [], [], ['legacy/terragrunt.hcl']],
    ['legacy/worker', '/legacy/states/worker/terraform.tfstate', ['legacy/queue'], [], ['legacy/terragrunt.hcl']],
    [
      'live/prod/app',
      'acme-prod-state/live/prod/app/tofu.tfstate',
      ['live/prod/dns', 'live/prod/vpc'],
      ['acme/modules//app@v1.4.0'],
      ['common.yaml', 'common/app.hcl', 'live/prod/account.hcl', 'root.hcl'],
    ],
    [
      'live/prod/dns',
      'acme-prod-state/live/prod/dns/tofu.tfstate',
      ['live/prod/vpc'],
      ['acme/dns/aws//modules/zone@2.1.0'],
      ['common.yaml', 'live/prod/account.hcl', 'root.hcl'],
    ],
    [
      'live/prod/odd',
      'acme-prod-state/live/prod/odd/tofu.tfstate',
      [],
      [],
      ['common.yaml', 'live/prod/account.hcl', 'root.hcl'],
    ],
    [
      'live/prod/vpc',
      'acme-prod-state/live/prod/vpc/tofu.tfstate',
      [],
      ['acme/infra//modules/vpc'],
      ['common.yaml', 'live/prod/account.hcl', 'root.hcl', 'sizes.tfvars'],
    ],
    [
      `${generated}/app`,
      `acme-stage-state/${generated}/app/tofu.tfstate`,
      [`${generated}/data/.terragrunt-stack/db`, `${generated}/vpc`],
      ['acme/modules//app@v1.3.0'],
      ['catalog/units/app', 'common.yaml', 'live/stage/account.hcl', 'live/stage/terragrunt.stack.hcl', 'root.hcl'],
    ],
    [
      `${generated}/data/.terragrunt-stack/db`,
      `acme-stage-state/${generated}/data/.terragrunt-stack/db/tofu.tfstate`,
      [],
      ['acme/infra//modules/db'],
      [
        'catalog/stacks/data/terragrunt.stack.hcl',
        'catalog/units/db',
        'common.yaml',
        'live/stage/account.hcl',
        'live/stage/terragrunt.stack.hcl',
        'root.hcl',
      ],
    ],
    [
      `${generated}/vpc`,
      `acme-stage-state/${generated}/vpc/tofu.tfstate`,
      [],
      ['acme/infra//modules/vpc'],
      ['catalog/units/vpc', 'common.yaml', 'live/stage/account.hcl', 'live/stage/terragrunt.stack.hcl', 'root.hcl'],
    ],
    ['live/stage/edge', undefined, [], ['acme/catalog//units/edge@v3.0.0'], ['live/stage/terragrunt.stack.hcl']],
  ]

t.test('units, what they come after, the code they run and the files they read', async (t) => {
  const { graph, warnings } = await scanDir(copied(t))
  const units = graph.stacks.filter(({ tool }) => tool === 'terragrunt')
  const from = (key: string) => graph.edges.filter((edge) => edge.from.kind === 'stack' && edge.from.key === key)
  const found = units.map(({ key, backend, watch_paths = [] }) => [
    key,
    backend && `${backend.bucket ?? ''}/${backend.key}`,
    [...new Set(from(key).flatMap(({ type, to }) => (type === 'uses_module' ? [] : [to.key])))],
    from(key).flatMap(({ type, to, meta }) =>
      type === 'uses_module' ? [`${to.key}${meta?.ref === undefined ? '' : `@${meta.ref}`}`] : [],
    ),
    [...watch_paths].sort(),
  ])
  t.same(found, expected)
  t.same(
    graph.stacks.filter(({ tool }) => tool !== 'terragrunt').map(({ key }) => key),
    ['plain'],
    'code that units run is no stack, though it has a backend block',
  )
  t.match(
    graph.modules.find(({ key }) => key.endsWith('modules/tags')),
    { kind: 'local', path: 'modules/tags' },
  )
  const said = warnings.map(({ code, file, line }) => `${code} ${file}:${line}`)
  t.same(said.sort(), [
    'dependency_unknown live/prod/odd/terragrunt.hcl:14',
    'terragrunt_unresolved live/prod/odd/terragrunt.hcl:10',
    'terragrunt_unresolved live/prod/odd/terragrunt.hcl:7',
    'terragrunt_unresolved live/stage/terragrunt.stack.hcl:26',
    'terragrunt_unresolved live/stage/terragrunt.stack.hcl:38',
  ])
})

t.test('a change affects the units that read it, in the order of their dependencies', async (t) => {
  const config = configOf('')
  const { graph } = await scanDir(copied(t))
  const waves = (path: string) => localAnswer({ graph, config, changedPaths: [path], sha: graph.sha }).waves
  const cases: [changed: string, waves: string[][]][] = [
    ['sizes.tfvars', [['live/prod/vpc'], ['live/prod/dns'], ['live/prod/app']]],
    ['live/prod/dns/terragrunt.hcl', [['live/prod/dns'], ['live/prod/app']]],
    ['legacy/terragrunt.hcl', [['legacy/queue'], ['legacy/worker']]],
    ['catalog/units/db/terragrunt.hcl', [[`${generated}/data/.terragrunt-stack/db`], [`${generated}/app`]]],
    [
      'modules/tags/main.tf',
      [['live/prod/vpc', `${generated}/vpc`], ['live/prod/dns', `${generated}/app`], ['live/prod/app']],
    ],
    ['live/prod/elsewhere.txt', []],
  ]
  for (const [changed, expected] of cases) t.same(waves(changed), expected, changed)
})

const root = 'locals {\n  a = "x"\n}\ninputs = { below = path_relative_to_include() }\n'
const unit = (more: string) => `include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n${more}`
const code = 'resource "terraform_data" "x" {}\n'

t.test('what is a unit', async (t) => {
  const tree = {
    'root.hcl': root,
    'a/terragrunt.hcl': unit(''),
    'a/main.tf': code,
    'a/b/terragrunt.hcl': 'terraform {\n  source = "../../modules/m"\n}\n',
    'broken/terragrunt.hcl': 'terraform {\n',
    'nothing/terragrunt.hcl': unit(''),
    'left-out/terragrunt.hcl': unit(
      'terraform {\n  source = "../modules/m"\n}\nexclude {\n  if = true\n  actions = ["all"]\n}\n',
    ),
    'catalog/terragrunt.hcl': 'terraform {\n  source = "../modules/m"\n}\ninputs = { a = values.a }\n',
    'catalog-with-default/terragrunt.hcl': 'terraform {\n  source = "../m"\n}\ninputs = { a = try(values.a, 1) }\n',
    'modules/m/main.tf': code,
    'm/main.tf': 'terraform {\n  backend "s3" {}\n}\n',
    '.terragrunt-cache/x/terragrunt.hcl': unit(''),
    'plain/main.tf': code,
  }
  t.same((await scanTree(t, tree)).keys, ['a', 'a/b', 'broken', 'catalog-with-default', 'plain'])
  t.same(
    (await scanTree(t, tree, 'tool: terragrunt')).keys,
    ['a', 'a/b', 'broken', 'catalog-with-default'],
    'directories without a unit are modules where Terragrunt is the tool',
  )
  t.same((await scanTree(t, tree, 'discover: {include: [nothing, a/b]}')).keys, ['a/b', 'nothing'], 'a name decides')
})

t.test('a parent that is skipped takes no unit with it, and one that excludes does', async (t) => {
  const child = 'include {\n  path = find_in_parent_folders()\n}\nterraform {\n  source = "../../m"\n}\n'
  const tree = {
    'live/terragrunt.hcl': 'skip = true\n',
    'live/app/terragrunt.hcl': child,
    'live/old/terragrunt.hcl': `skip = true\n${child}`,
    'off/terragrunt.hcl': 'exclude {\n  if = true\n  actions = ["plan", "apply"]\n}\n',
    'off/app/terragrunt.hcl': child,
    'm/main.tf': code,
  }
  t.same((await scanTree(t, tree)).keys, ['live/app'])
})

t.test('configuration in JSON is not read, and that is said', async (t) => {
  const { keys, warnings } = await scanTree(t, { 'a/terragrunt.hcl.json': '{}', 'a/main.tf': code })
  t.same(keys, ['a'])
  t.match(warnings, [{ code: 'terragrunt_unresolved', file: 'a/terragrunt.hcl.json' }])
})

t.test('code in files of OpenTofu is read as OpenTofu reads it', async (t) => {
  const { keys, stack, edges, codes } = await scanTree(t, {
    'live/one/terragrunt.hcl': 'terraform {\n  source = "../../modules/app"\n}\n',
    'modules/app/main.tf': 'module "old" {\n  source = "../old"\n}\n',
    'modules/app/main.tofu':
      'module "v" {\n  source = "../vpc"\n}\nlocals {\n  rules = file("${path.module}/../rules.json")\n}\n',
    'modules/app/state.tofu': 'terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "app"\n  }\n}\n',
    'modules/rules.json': '{}',
    'modules/vpc/main.tofu': code,
    'modules/old/main.tf': code,
  })
  t.same(keys, ['live/one'])
  t.same(edges, [
    'acme/infra//modules/app uses_module acme/infra//modules/vpc',
    'live/one uses_module acme/infra//modules/app',
  ])
  t.match(stack('live/one'), { tool: 'terragrunt', backend: { bucket: 'b', key: 'app' } })
  t.same(stack('live/one')?.watch_paths, ['modules/rules.json'])
  t.same(codes, [])
})

t.test('instances of a unit, its variables, and versions', async (t) => {
  const { stack, edges, warnings } = await scanTree(
    t,
    {
      '.tool-versions': 'terraform 1.11.4\nterragrunt 0.99.1\n',
      'net/terragrunt.hcl':
        'remote_state {\n  backend = "s3"\n  config = { bucket = "b", key = "net" }\n}\nterraform {\n  source = "."\n}\n',
      'app/terragrunt.hcl':
        'terragrunt_version_constraint = "1.0.3"\ndependency "net" {\n  config_path = "../net"\n}\nterraform {\n  source = "../m"\n}\ninputs = { key = "net" }\n',
      'm/main.tf':
        'variable "key" {}\nterraform {\n  backend "s3" {\n    bucket = "b"\n    key = "app"\n  }\n}\ndata "terraform_remote_state" "n" {\n  backend = "s3"\n  config = { bucket = "b", key = var.key }\n}\n',
    },
    'stacks:\n  - {match: "*", instances: {eu: {workspace: eu}, us: {}}}\n',
  )
  t.same(stack('net:eu')?.watch_paths, ['.tool-versions'])
  t.match(stack('net:eu'), { tool: 'terragrunt', tool_version: '0.99.1', backend: { key: 'env:/eu/net' } })
  t.match(stack('app:us'), { tool: 'terragrunt', tool_version: '0.99.1', backend: { bucket: 'b', key: 'app' } })
  t.same(
    edges.filter((edge) => edge.includes('app') && !edge.includes('uses_module')),
    // the code of app:eu reads the state of the default workspace
    ['app:eu reads_state net:eu', 'app:eu reads_state net:us', 'app:us reads_state net:us'],
  )
  t.same(warnings, [])
})

t.test('what differs from machine to machine, or only a run can know, is left open', async (t) => {
  const remote = (key: string) =>
    `remote_state {\n  backend = "s3"\n  config = { bucket = "b", key = ${key} }\n}\nterraform {\n  source = "."\n}\n`
  const cases: [key: string, known: string | undefined][] = [
    ['"${get_path_from_repo_root()}/x"', 'u/n/i/x'],
    ['"${basename(get_terragrunt_dir())}.x"', 'i.x'],
    ['trimprefix(get_terragrunt_dir(), get_repo_root())', '/u/n/i'],
    ['replace(get_terragrunt_dir(), get_repo_root(), "")', '/u/n/i'],
    ['replace(get_terragrunt_dir(), "${get_repo_root()}/", "")', undefined],
    ['local.all[local.which].key', 'two'],
    ['local.which == "b" ? "yes" : "no"', 'yes'],
    ['try(local.none, local.which)', 'b'],
    ['read_terragrunt_config("none.hcl", { locals = { k = "fallback" } }).locals.k', 'fallback'],
    ['read_terragrunt_config(find_in_parent_folders("env.hcl")).locals.dir', 'u'],
    ['"v${jsondecode(read_tfvars_file("v.tfvars")).size}"', 'v3'],
    ['get_repo_root()', undefined],
    ['basename(get_repo_root())', undefined],
    ['basename(dirname(dirname(dirname(get_terragrunt_dir()))))', undefined],
    ['get_env("KEY", "x")', undefined],
    ['run_cmd("key")', undefined],
    ['try(read_terragrunt_config(find_in_parent_folders("env.hcl")).feature, "x")', undefined],
    ['get_repo_root() == "/src" ? "a" : "b"', undefined],
    ['get_env("A") == "b" ? "same" : "same"', 'same'],
  ]
  for (const [key, known] of cases) {
    const { stack } = await scanTree(t, {
      'u/env.hcl': 'locals {\n  dir = basename(get_terragrunt_dir())\n}\n',
      'u/n/i/terragrunt.hcl': `locals {\n  which = "b"\n  all = { a = { key = "one" }, b = { key = "two" } }\n}\n${remote(key)}`,
      'u/n/i/v.tfvars': 'size = 3\n',
    })
    t.equal(stack('u/n/i')?.backend?.key, known, key)
  }
})
