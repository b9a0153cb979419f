// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { moduleSource } from '#runner/scan/edges/module-source.ts'
import { scanTree } from './scan-tree.ts'

const resource = 'resource "terraform_data" "x" {}\n'
const backend = 'terraform {\n  backend "local" {}\n}\n'
const module = (name: string, source: string, more = '') => `module "${name}" {\n  source = "${source}"\n${more}}\n`

t.test(
  'modules are found by path through modules, and from git and registries with the version asked for',
  async (t) => {
    const { edges, graph, warnings } = await scanTree(t, {
      'a/main.tf': `${backend}
locals {
  base = "../modules"
}
${module('one', '${local.base}/vpc')}
${module('two', 'terraform-aws-modules/vpc/aws//modules/endpoints', '  version = "~> 5.0"\n')}
${module('three', 'git::https://github.com/acme/mods.git//net/dns?depth=1&ref=v1.2.0')}
${module('four', 'git@github.com:acme/mods.git//net/dns?ref=v2.0.0')}
${module('five', 'https://example.com/vpc.zip')}
${module('six', '${var.source}')}
${module('seven', '../../outside')}
${module('eight', '../gone')}
`,
      'modules/vpc/main.tf': `${module('m', '../subnet')}`,
      'modules/subnet/main.tf': resource,
    })
    t.same(edges, [
      'acme/infra//modules/vpc uses_module acme/infra//modules/subnet',
      'a uses_module acme/infra//gone',
      'a uses_module acme/infra//modules/vpc',
      'a uses_module acme/mods//net/dns@v1.2.0',
      'a uses_module acme/mods//net/dns@v2.0.0',
      'a uses_module terraform-aws-modules/vpc/aws//modules/endpoints@~> 5.0',
    ])
    t.same(graph.modules, [
      { key: 'acme/infra//gone', kind: 'local', path: 'gone' },
      { key: 'acme/infra//modules/subnet', kind: 'local', path: 'modules/subnet' },
      { key: 'acme/infra//modules/vpc', kind: 'local', path: 'modules/vpc' },
      { key: 'acme/mods//net/dns', kind: 'git', source: 'github.com/acme/mods//net/dns' },
      {
        key: 'terraform-aws-modules/vpc/aws//modules/endpoints',
        kind: 'registry',
        source: 'terraform-aws-modules/vpc/aws//modules/endpoints',
      },
    ])
    const two = graph.edges.find(({ meta }) => meta?.ref === '~> 5.0')
    t.same(two?.meta, { ref: '~> 5.0', source: 'terraform-aws-modules/vpc/aws//modules/endpoints' })
    t.match(warnings, [
      { code: 'module_unsupported', message: /a\/main\.tf:\d+: module 'five'.*vpc\.zip/, file: 'a/main.tf' },
      { code: 'module_unresolved', message: /module 'six'/ },
      { code: 'module_missing', message: /module 'seven' leads out of the repository/ },
      { code: 'module_missing', message: /module 'eight': there is no configuration in gone/ },
    ])
  },
)

t.test('depends_on names a key, a directory of instances, or another repository', async (t) => {
  const { edges, graph, stack, warnings } = await scanTree(
    t,
    { 'net/main.tf': backend, 'dns/main.tf': backend, 'app/main.tf': backend, 'web/main.tf': backend },
    `
stacks:
  - {match: net, instances: {eu: {workspace: eu}, us: {workspace: us}}}
  - {match: app, instances: {eu: {workspace: eu}, asia: {workspace: asia}}, depends_on: [net, dns]}
  - {match: web, depends_on: ["net:us", acme/base//core/vpc:eu, acme/infra//dns, nothing]}
`,
  )
  t.same(edges, [
    'app:asia depends_on dns',
    'app:asia depends_on net:eu',
    'app:asia depends_on net:us',
    'app:eu depends_on dns',
    'app:eu depends_on net:eu',
    'web depends_on acme/base//core/vpc:eu',
    'web depends_on dns',
    'web depends_on net:us',
  ])
  t.same(stack('acme/base//core/vpc:eu'), {
    key: 'acme/base//core/vpc:eu',
    path: 'core/vpc',
    instance: 'eu',
    external: true,
    repo: 'acme/base',
  })
  t.same(stack('app:eu')?.config, { depends_on: ['net', 'dns'] })
  t.match(warnings, [
    {
      code: 'dependency_unknown',
      message: 'web depends on nothing, which is not a stack of this repository',
      stacks: ['web'],
    },
  ])
  t.ok(
    graph.stacks.every(({ key }, i, all) => i === 0 || (all[i - 1]?.key ?? '') < key),
    'sorted by key',
  )
})

const sources: [source: string, kind: string, family?: string, ref?: string][] = [
  ['./vpc', 'local'],
  ['../vpc', 'local'],
  ['..', 'local'],
  ['/abs/vpc', 'unsupported'],
  ['github.com/acme/mods', 'git', 'acme/mods//.'],
  ['github.com/acme/mods//net?ref=v1', 'git', 'acme/mods//net', 'v1'],
  ['git@github.com:acme/mods.git//net', 'git', 'acme/mods//net'],
  ['git::ssh://git@github.com/acme/mods.git?ref=feature%2Fx', 'git', 'acme/mods//.', 'feature/x'],
  ['git::git@gitlab.example.com:team/mods.git//a/b?ref=v1', 'git', 'gitlab.example.com/team/mods//a/b', 'v1'],
  ['git::https://user:secret@git.example.com/mods.git?ref=v1', 'git', 'git.example.com/mods//.', 'v1'],
  ['bitbucket.org/team/mods', 'git', 'bitbucket.org/team/mods//.'],
  ['hashicorp/consul/aws', 'registry', 'hashicorp/consul/aws'],
  ['registry.terraform.io/hashicorp/consul/aws', 'registry', 'hashicorp/consul/aws'],
  ['app.terraform.io/acme/vpc/aws//sub', 'registry', 'app.terraform.io/acme/vpc/aws//sub'],
  ['hg::https://example.com/vpc.hg', 'unsupported'],
  ['s3::https://s3.amazonaws.com/b/vpc.zip', 'unsupported'],
  ['https://example.com/vpc.zip', 'unsupported'],
  ['oci://ghcr.io/acme/vpc', 'unsupported'],
]

t.test('module sources are classified as the tool does', async (t) => {
  for (const [source, kind, family, ref] of sources) {
    const found: { kind: string; family?: string; ref?: string; source?: string } = moduleSource(source, 'github.com')
    t.same([found.kind, found.family, found.ref], [kind, family, ref], source)
    t.notOk(found.source?.includes('secret'), 'no password in it')
  }
  t.match(moduleSource('git::https://ghe.acme.com/platform/mods.git', 'ghe.acme.com'), { family: 'platform/mods//.' })
})

t.test('no password of an address is in the graph or in a warning', async (t) => {
  const { graph, warnings } = await scanTree(t, {
    'a/main.tf': `${backend}${module('one', 'git::https://user:secret@git.example.com/m.git')}${module('two', 'https://secret@x.com/m.zip')}`,
    'b/main.tf': `${backend}${module('one', 'git::ssh://git:secret@git.example.com/m.git')}`,
  })
  t.equal(graph.modules.length, 1)
  t.same(warnings.length, 1)
  t.notMatch(JSON.stringify([graph, warnings]), /secret/)
})
