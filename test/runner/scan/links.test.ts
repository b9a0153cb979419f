// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { resolve } from '#domain/resolution/resolve.ts'
import { configOf, scanDir, type Tree, writeTree } from './scan-tree.ts'

const resource = 'resource "terraform_data" "x" {}\n'
const module = (source: string) => `module "m" {\n  source = "${source}"\n}\n`

const git = (dir: string, ...args: string[]) =>
  execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { stdio: 'ignore' })

/** Scans a tree with links on disk, and the same committed to git: both must give the same graph. */
const scanLinked = async (t: Test, tree: Tree, links: Tree, config = '') => {
  const dir = t.testdir()
  writeTree(dir, tree)
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    symlinkSync(target, join(dir, path))
  }
  const onDisk = await scanDir(dir, config)
  git(dir, 'init', '-q')
  t.same((await scanDir(dir, config)).graph, onDisk.graph, 'of files that are not in git yet')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'tree')
  const { graph, warnings } = await scanDir(dir, config)
  t.same(graph, onDisk.graph, 'with and without git')
  return {
    dir,
    graph,
    keys: graph.stacks.map(({ key }) => key),
    watched: Object.fromEntries(graph.stacks.map(({ key, watch_paths = [] }) => [key, watch_paths])),
    edges: graph.edges.map(({ from, type, to }) => `${from.key} ${type} ${to.key}`),
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
  }
}

t.test('a file that stacks link to is read in each of them, and watched', async (t) => {
  const names = Array.from({ length: 24 }, (_, i) => `live/s${i}`)
  const { keys, watched, edges } = await scanLinked(
    t,
    {
      'common/variables-common.tf': `variable "a" {\n  default = "k"\n}\n${module('../../modules/net')}`,
      'modules/net/main.tf': resource,
      ...Object.fromEntries(names.map((name) => [`${name}/main.tf`, resource])),
    },
    {
      ...Object.fromEntries(names.map((name) => [`${name}/variables-common.tf`, '../../common/variables-common.tf'])),
      'live/s0/variables-common.tf': '../newest.tf',
      'live/newest.tf': '../common/variables-common.tf',
    },
  )
  t.same(
    keys.filter((key) => key.startsWith('live/')),
    names.sort(),
  )
  for (const name of names.slice(1)) t.same(watched[name], ['common/variables-common.tf'])
  t.same(watched['live/s0'], ['common/variables-common.tf', 'live/newest.tf'], 'and the links on the way')
  t.ok(edges.includes('live/s7 uses_module acme/infra//modules/net'), 'what it says counts where it is linked')
})

t.test('a linked directory is its target', async (t) => {
  const { keys, watched, edges, warnings } = await scanLinked(
    t,
    {
      'live/app/main.tf': `${module('./modules/net')}${resource}`,
      'shared/modules/net/main.tf': `${resource}resource "a" "b" {\n  c = file("${'${path.module}'}/../rules.json")\n}\n`,
      'shared/modules/rules.json': '{}',
      'shared/policies/one.json': '{}',
      'vars/eu.tfvars': '',
    },
    {
      'live/app/modules': '../../shared/modules',
      'live/app/policies': '../../shared/policies',
      'live/again': 'app',
      'live/env': '../vars',
      'live/root': '..',
      here: '.',
    },
    'stacks: [{match: live/app, var_files: [../env/eu.tfvars]}, {match: live/again}]',
  )
  t.same(keys, ['live/app'], 'one stack, by whatever names')
  t.same(edges, ['live/app uses_module acme/infra//shared/modules/net'])
  t.same(watched['live/app']?.toSorted(), [
    'live/env',
    'live/env/eu.tfvars',
    'shared/modules/rules.json',
    'shared/policies/**',
    'vars/eu.tfvars',
  ])
  t.same(warnings, [
    'no_such_directory: svc.yml: stacks[1].match names live/again, which is a link: its stack is called live/app',
  ])
})

t.test(
  'files that a unit reads are watched where they are, and linked directories of units are their targets',
  async (t) => {
    const include = (path: string) => `include "i" {\n  path = "${path}"\n}\n`
    const source = (path: string) => `terraform {\n  source = "${path}"\n}\n`
    const made = (kind: string, from: string) => `${kind} "u" {\n  source = "${from}"\n  path = "u"\n}\n`
    const { keys, watched, edges, warnings } = await scanLinked(
      t,
      {
        'shared/root.hcl': 'locals {\n  a = "x"\n}\n',
        'shared/terragrunt.hcl': source('.'),
        'shared/env.yaml': 'a: 1\n',
        'shared/own.yaml': 'a: 1\n',
        'shared/eu.tfvars': '',
        'modules/app/main.tf': `${module('../vpc')}terraform {\n  backend "s3" {}\n}\n`,
        'modules/vpc/main.tf': resource,
        'catalog/u/terragrunt.hcl': source('${get_repo_root()}/modules/vpc'),
        'live/one/terragrunt.hcl': `${include('../root.hcl')}${source('../../links/app')}locals {\n  a = [file("../env.yaml"), file("own.yaml")]\n}\n`,
        'live/two/terragrunt.hcl': `${include('../terragrunt.hcl')}${source('../../modules//vpc')}dependency "one" {\n  config_path = "../../cur/one"\n}\ndependencies {\n  paths = ["\${get_repo_root()}/cur/made"]\n}\n`,
        'live/var/terragrunt.hcl':
          'terraform {\n  source = "../../modules/vpc"\n  extra_arguments "v" {\n    required_var_files = ["../eu.tfvars"]\n  }\n}\n',
        'live/made/terragrunt.stack.hcl': made('unit', '../../links/u'),
      },
      {
        'live/root.hcl': '../shared/root.hcl',
        'live/terragrunt.hcl': '../shared/terragrunt.hcl',
        'live/env.yaml': '../shared/env.yaml',
        'live/eu.tfvars': '../shared/eu.tfvars',
        'live/one/own.yaml': '../../shared/own.yaml',
        'links/app': '../modules/app',
        'links/u': '../catalog/u',
        cur: 'live',
      },
    )
    const generated = 'live/made/.terragrunt-stack/u'
    t.same(keys, [generated, 'live/one', 'live/two', 'live/var'], 'neither modules/app nor catalog/u is a stack')
    t.same(edges, [
      'acme/infra//modules/app uses_module acme/infra//modules/vpc',
      `${generated} uses_module acme/infra//modules/vpc`,
      'live/one uses_module acme/infra//modules/app',
      `live/two depends_on ${generated}`,
      'live/two reads_state live/one',
      'live/two uses_module acme/infra//modules/vpc',
      'live/var uses_module acme/infra//modules/vpc',
    ])
    const sorted = Object.fromEntries(Object.entries(watched).map(([key, paths]) => [key, paths.toSorted()]))
    t.same(sorted, {
      [generated]: ['catalog/u', 'links/u', 'live/made/terragrunt.stack.hcl'],
      'live/one': [
        'links/app',
        'live/env.yaml',
        'live/root.hcl',
        'shared/env.yaml',
        'shared/own.yaml',
        'shared/root.hcl',
      ],
      'live/two': ['cur', 'live/terragrunt.hcl', 'shared/terragrunt.hcl'],
      'live/var': ['live/eu.tfvars', 'shared/eu.tfvars'],
    })
    t.same(warnings, [])
  },
)

t.test(
  'a link that the source of a module leads through is watched, where it is not in the directory itself',
  async (t) => {
    const { graph, watched, edges, warnings } = await scanLinked(
      t,
      {
        'live/app/main.tf': module('../../modules/vpc/current'),
        'live/deep/main.tf': module('../../modules/outer'),
        'live/own/main.tf': module('./vpc'),
        'modules/outer/main.tf': module('../../alias/vpc/current'),
        'modules/vpc/v1/main.tf': resource,
        'modules/vpc/v2/main.tf': resource,
      },
      { 'modules/vpc/current': 'v1', alias: 'modules', 'live/own/vpc': '../../modules/vpc/v2' },
    )
    t.same(watched, {
      'live/app': ['modules/vpc/current'],
      'live/deep': ['alias', 'modules/vpc/current'],
      'live/own': [],
    })
    t.ok(edges.includes('live/app uses_module acme/infra//modules/vpc/v1'))
    t.same(warnings, [])
    const { affected } = resolve({ graph, changedPaths: ['modules/vpc/current'], config: configOf('') })
    t.same(
      affected.map(({ key }) => key),
      ['live/app', 'live/deep'],
      'who points it to another version plans what uses it',
    )
  },
)

t.test('links that lead in circles or out of the repository are told of', async (t) => {
  const deep = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`far/l${i}`, `l${i + 1}`]))
  const { keys, warnings } = await scanLinked(
    t,
    { 'a/main.tf': resource, 'far/l50': '' },
    {
      'a/one.tf': 'two.tf',
      'a/two.tf': 'one.tf',
      'a/out.tf': '../../x.tf',
      'a/root.tf': '/etc/x.tf',
      'a/gone.tf': 'no.tf',
      ...deep,
    },
  )
  t.same(keys, ['a'])
  const of = (path: string) => warnings.filter((one) => one.startsWith(`link_unresolved: ${path} is a link`)).join()
  t.match(of('a/one.tf'), 'that leads in a circle, over two.tf')
  t.match(of('a/two.tf'), 'that leads in a circle, over one.tf')
  t.match(of('a/out.tf'), 'that leads out of the repository, to ../../x.tf')
  t.match(of('a/root.tf'), 'that leads out of the repository, to /etc/x.tf')
  t.match(of('a/gone.tf'), 'to no.tf, which is no file of the repository')
  t.match(of('far/l0'), 'in a circle', 'as many links as Linux follows')
  t.equal(of('far/l20'), '')
})

t.test('what is used from a submodule is watched by the one path that changes with it', async (t) => {
  const dir = t.testdir()
  const other = join(dir, 'other')
  const own = join(dir, 'own')
  writeTree(other, { 'vpc/main.tf': resource, 'rules/a.json': '{}' })
  writeTree(own, {
    'app/main.tf': module('../vendor/mods/vpc'),
    'web/main.tf': `${resource}locals {\n  a = jsondecode(file("../vendor/mods/rules/a.json"))\n}\n`,
    'deep/main.tf': module('../modules/m'),
    'modules/m/main.tf': module('../../vendor/mods/vpc'),
    'plain/main.tf': resource,
  })
  for (const repo of [other, own]) {
    git(repo, 'init', '-q')
    git(repo, 'add', '-A')
    git(repo, 'commit', '-qm', 'one')
  }
  git(own, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other, 'vendor/mods')
  git(own, 'commit', '-qm', 'two')
  const { graph, warnings } = await scanDir(own)
  const watched = Object.fromEntries(graph.stacks.map(({ key, watch_paths }) => [key, watch_paths]))
  t.same(watched, {
    app: ['vendor/mods'],
    deep: ['vendor/mods'],
    plain: undefined,
    web: ['vendor/mods', 'vendor/mods/rules/a.json'],
  })
  t.same(warnings, [], 'its files need not be here')
})
