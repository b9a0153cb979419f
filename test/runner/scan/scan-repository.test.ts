// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { scanTree } from './scan-tree.ts'

const resource = 'resource "terraform_data" "x" {}\n'
const backend = 'terraform {\n  backend "local" {}\n}\n'
const module = (name: string, source: string, more = '') => `module "${name}" {\n  source = "${source}"\n${more}}\n`
const uses = (source: string, more = '') => module('m', source, more)

t.test(
  'a root module is a stack: by its backend, or by declaring something that nobody uses as a module',
  async (t) => {
    const tree = {
      'main.tf': resource,
      'with-backend/main.tf': backend,
      'with-cloud/main.tf': 'terraform {\n  cloud {\n    organization = "o"\n  }\n}\n',
      'provider-only/main.tf': 'provider "aws" {}\n',
      'names-only/main.tf': 'variable "a" {}\noutput "b" { value = 1 }\n',
      'app/main.tf': uses('../shared/vpc'),
      'shared/vpc/main.tf': resource,
      'shared/state/main.tf': backend,
      'other/main.tf': uses('../shared/state'),
      'modules/main.tf': resource,
      'modules/unused/main.tf': resource,
      'renamed/main.tf': 'moved {\n  from = a.b\n  to = a.c\n}\nremoved {\n  from = a.d\n}\n',
      'modules/unused/examples/one/main.tf': resource,
      'modules/kept/main.tf': backend,
      'tofu/main.tofu': resource,
      'json/main.tf.json': '{"resource": {"terraform_data": {"x": {}}}}',
      'broken/main.tf': 'resource "a" {\n',
      '.hidden/main.tf': resource,
      'a/.terraform/modules/x/main.tf': resource,
      'node_modules/x/main.tf': resource,
      'notes/main.tf.txt': resource,
    }
    const { keys } = await scanTree(t, tree)
    t.same(keys, [
      '.',
      'app',
      'broken',
      'json',
      'modules/kept',
      'other',
      'provider-only',
      'shared/state',
      'tofu',
      'with-backend',
      'with-cloud',
    ])
    const all = 'discover: {include: ["shared/**", modules/unused, nowhere], exclude: ["**/state"]}'
    const narrowed = await scanTree(t, tree, all)
    t.same(narrowed.keys, ['modules/unused'], 'a glob narrows, a name decides')
    t.match(
      narrowed.warnings.filter(({ code }) => code === 'no_such_directory'),
      [{ message: /discover\.include\[2] names nowhere/ }],
    )
  },
)

t.test('each instance is a stack, with what the configuration says of it', async (t) => {
  const { keys, stack, warnings } = await scanTree(
    t,
    {
      'app/main.tf': backend,
      'vars/common.tfvars': '',
      'vars/eu.tfvars': '',
      'app/own.tfvars': '',
      'plain/main.tf': backend,
    },
    `
plan: {output: summary}
stacks:
  - {match: app, tags: [web, eu]}
  - match: app
    environment: production
    var_files: [../vars/common.tfvars, own.tfvars]
    watch_paths: ["policies/**"]
    instances:
      eu: {workspace: eu-1, var_files: [../vars/eu.tfvars]}
      us: {environment: us, var_files: [../vars/us.tfvars]}
`,
  )
  t.same(keys, ['app:eu', 'app:us', 'plain'])
  t.strictSame(stack('app:eu'), {
    key: 'app:eu',
    path: 'app',
    backend: { type: 'local', key: 'app/terraform.tfstate.d/eu-1/terraform.tfstate' },
    environment: 'production',
    tool: 'terraform',
    plan_output: 'summary',
    instance: 'eu',
    workspace: 'eu-1',
    watch_paths: ['policies/**', 'vars/common.tfvars', 'vars/eu.tfvars'],
    tags: ['eu', 'web'],
  })
  t.equal(stack('app:us')?.environment, 'us')
  t.strictSame(stack('plain'), {
    key: 'plain',
    path: 'plain',
    backend: { type: 'local', key: 'plain/terraform.tfstate' },
    environment: 'default',
    tool: 'terraform',
    plan_output: 'summary',
  })
  t.match(warnings, [{ code: 'file_missing', message: /app:us: the var file \.\.\/vars\/us\.tfvars/ }])
})

t.test('files of the tree make instances', async (t) => {
  const tree = {
    'live/app/main.tf': backend,
    'live/app/env/eu.tfvars': '',
    'live/app/env/us.tfvars': '',
    'live/app/env/default.tfvars': '',
    'live/app/env/.tfvars': '',
    'live/app/env/us.tfvars.json': '{}',
    'live/app/env/more/asia.tfvars': '',
    'live/none/main.tf': backend,
    'live/some/main.tf': backend,
    'global/main.tf': backend,
    'deep/main.tf': backend,
    'deep/env/one/main.json': '{}',
    'deep/env/two/other.json': '{}',
    'deep/env/three/main.json': '{}',
  }
  const { keys, stack, warnings } = await scanTree(
    t,
    tree,
    `
stacks:
  - match: "**"
    workspace: "{name}-{instance}"
    var_files: ["env/{instance}.tfvars"]
    instances: { from: "env/*.tfvars" }
  - { match: deep, instances: { from: "env/*/main.json" }, var_files: [] }
  - { match: global, instances: { } }
  - { match: live/some, instances: { from: "../{name}/*.json", a: }, var_files: [] }
`,
  )
  t.same(keys, ['deep:one', 'deep:three', 'global', 'live/app:eu', 'live/app:us', 'live/some:a'])
  t.equal(stack('live/app:eu')?.workspace, 'app-eu')
  t.match(
    warnings.map(({ code, message }) => `${code}: ${message}`),
    [
      "no_instance: live/app: live/app/env/default.tfvars makes no instance: 'default' cannot be its name",
      'no_instance: live/none: no file matches instances.from, env/*.tfvars: live/none is no stack',
      'no_instance: live/some: no file matches instances.from, ../{name}/*.json: live/some has only the instances that are named',
    ],
  )
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`v/${at}.x`, '']))
  const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}/main.tf`, backend]))
  await t.rejects(scanTree(t, { ...many, ...hundred }, 'stacks: [{ match: "**", instances: { from: "../v/*.x" } }]'), {
    message: /^svc.yml: instances.from makes more than 20000 instances, at s\d+: \.\.\/v\/\*\.x$/,
  })
})

t.test(
  'the tool’s version is from svc.yml, then files of the nearest parent, then an exact required_version',
  async (t) => {
    const pinned = (version: string) => `terraform {\n  required_version = "${version}"\n  backend "local" {}\n}\n`
    const { stack } = await scanTree(
      t,
      {
        'a/.terraform-version': '# pinned\n1.5.0\n',
        'a/.tool-versions': 'terraform 1.1.1\n',
        'a/x/main.tf': pinned('1.0.0'),
        'a/y/.terraform-version': 'v1.6.1',
        'a/y/main.tf': backend,
        'a/z/main.tf': backend,
        'a/t/main.tofu': backend,
        'b/.tool-versions': 'nodejs 24\nterraform 1.4.2 1.3.0\nopentofu 1.9.0\n',
        'b/.terraform-version': 'latest:^1.5\n',
        'b/x/main.tf': backend,
        'b/t/main.tofu': backend,
        'c/x/main.tf': pinned('= 1.2.3'),
        'c/y/main.tf': pinned('>= 1.2.3'),
      },
      'stacks: [{match: a/z, tool_version: 1.7.0}]',
    )
    const versions = ['a/x', 'a/y', 'a/z', 'a/t', 'b/x', 'b/t', 'c/x', 'c/y'].map((key) => [
      key,
      stack(key)?.tool,
      stack(key)?.tool_version,
    ])
    t.same(versions, [
      ['a/x', 'terraform', '1.5.0'],
      ['a/y', 'terraform', '1.6.1'],
      ['a/z', 'terraform', '1.7.0'],
      ['a/t', 'tofu', undefined],
      ['b/x', 'terraform', '1.4.2'],
      ['b/t', 'tofu', '1.9.0'],
      ['c/x', 'terraform', '1.2.3'],
      ['c/y', 'terraform', undefined],
    ])
  },
)

t.test('OpenTofu’s files shadow Terraform’s of the same name, and only OpenTofu reads them', async (t) => {
  const tree = {
    'a/main.tf': uses('./tf'),
    'a/main.tofu': uses('./tofu'),
    'a/b.tf': backend,
    'a/tf/x.tf': resource,
    'a/tofu/x.tf': resource,
  }
  t.same((await scanTree(t, tree)).edges, ['a uses_module acme/infra//a/tf'])
  t.same((await scanTree(t, tree, 'tool: tofu')).edges, ['a uses_module acme/infra//a/tofu'])
})

t.test('override files are laid over the others', async (t) => {
  const { edges, stack } = await scanTree(t, {
    'a/main.tf': `${backend}${uses('../m/one', '  x = 1\n')}`,
    'a/main_override.tf': `terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "k"\n  }\n}\n${uses('../m/two')}`,
    'm/one/main.tf': resource,
    'm/two/main.tf': resource,
  })
  t.same(edges, ['a uses_module acme/infra//m/two'])
  t.same(stack('a')?.backend, { type: 's3', bucket: 'b', key: 'k' })
})

t.test('a file that cannot be read causes a warning, and its stack stays, so the tool can say more', async (t) => {
  const { keys, warnings } = await scanTree(t, {
    'a/main.tf': 'resource "x" "y" {\n  z = "oops\n}\n',
    'b/main.tf.json': '{"a": }',
  })
  t.same(keys, ['a', 'b'])
  t.match(warnings, [
    { code: 'syntax', message: /^a\/main\.tf:2:7: unclosed string/, file: 'a/main.tf', line: 2, column: 7 },
    { code: 'syntax', message: /^b\/main\.tf\.json:1:7: '}' is not allowed here/, line: 1, column: 7 },
  ])
})

t.test('a fault costs the facts of its own block, and those of the other blocks stay', async (t) => {
  const faults = {
    'a string that is not closed': 'resource "x" "y" {\n  z = "oops\n}\n',
    'a block that is not closed': 'resource "x" "y" {\n  z {\n}\n',
    'a heredoc that is not closed': 'output "x" {\n  value = <<EOT\n  }\n}\n',
    'marks of a merge': '<<<<<<< HEAD\nlocals {\n  a = 1\n=======\n}\n>>>>>>> other\n',
    'text at the top': 'oops\n',
    'brackets that do not match': 'locals {\n  a = [1)\n}\n',
  }
  for (const [name, fault] of Object.entries(faults)) {
    const s3 = 'terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "k"\n  }\n}\n'
    const text = `${uses('../m')}# module "commented" {\n${fault}\n${s3}${module('after', '../n')}`
    const { edges, stack, warnings } = await scanTree(t, { 'a/main.tf': text, 'm/x.tf': resource, 'n/x.tf': resource })
    t.same(edges, ['a uses_module acme/infra//m', 'a uses_module acme/infra//n'], name)
    t.same(stack('a')?.backend, { type: 's3', bucket: 'b', key: 'k' }, name)
    t.match(warnings[0], { code: 'syntax', file: 'a/main.tf', line: Number, column: Number }, name)
  }
  const many = await scanTree(t, { 'a/main.tf': `${'locals {\n  a = "\n}\n'.repeat(1000)}${backend}` })
  t.equal(many.warnings.length, 20, 'after twenty faults a file is left alone')
})

t.test('a workspace that is no name once its placeholders are replaced is warned of', async (t) => {
  const tree = { 'live/a b/main.tf': 'resource "a" "b" {}\n', 'live/ab/main.tf': 'resource "a" "b" {}\n' }
  const { warnings } = await scanTree(t, tree, 'stacks: [{ match: "live/*", workspace: "{name}" }]')
  const message = "live/a b: 'a b' is not a workspace name: no spaces and no slashes, up to 90 characters"
  t.same(warnings, [{ code: 'workspace_invalid', message, stacks: ['live/a b'] }])
})
