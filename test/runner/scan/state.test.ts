// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { stateLocation } from '#runner/scan/state/state-location.ts'
import { scanTree } from './scan-tree.ts'

const places: [
  type: string,
  fields: Record<string, string | object>,
  workspace: string,
  bucket: string | undefined,
  key: string | undefined,
][] = [
  ['s3', { bucket: 'b', key: 'a/k' }, 'default', 'b', 'a/k'],
  ['s3', { bucket: 'b', key: 'a/k' }, 'eu', 'b', 'env:/eu/a/k'],
  ['s3', { bucket: 'b', key: 'a/k', workspace_key_prefix: 'ws' }, 'eu', 'b', 'ws/eu/a/k'],
  ['gcs', { bucket: 'b', prefix: 'p' }, 'default', 'b', 'p/default.tfstate'],
  ['gcs', { bucket: 'b', prefix: 'p' }, 'eu', 'b', 'p/eu.tfstate'],
  ['gcs', { bucket: 'b' }, 'default', 'b', 'default.tfstate'],
  ['azurerm', { storage_account_name: 's', container_name: 'c', key: 'k' }, 'default', 's/c', 'k'],
  ['azurerm', { storage_account_name: 's', container_name: 'c', key: 'k' }, 'eu', 's/c', 'kenv:eu'],
  ['local', {}, 'default', undefined, 'net/terraform.tfstate'],
  ['local', { path: '../state/net.tfstate' }, 'default', undefined, 'state/net.tfstate'],
  ['local', { path: '/var/net.tfstate' }, 'default', undefined, '/var/net.tfstate'],
  ['local', { path: 'x' }, 'eu', undefined, 'net/terraform.tfstate.d/eu/terraform.tfstate'],
  ['local', { workspace_dir: 'ws' }, 'eu', undefined, 'net/ws/eu/terraform.tfstate'],
  ['http', { address: 'https://user:secret@x/y' }, 'default', undefined, 'https://x/y'],
  ['remote', { organization: 'o', workspaces: { name: 'w' } }, 'default', 'app.terraform.io/o', 'w'],
  ['remote', { hostname: 'h', organization: 'o', workspaces: { prefix: 'w-' } }, 'eu', 'h/o', 'w-eu'],
  ['cloud', { organization: 'o', workspaces: { tags: ['x'] } }, 'eu', 'app.terraform.io/o', 'eu'],
  ['cloud', { organization: 'o', workspaces: { tags: ['x'] } }, 'default', 'app.terraform.io/o', undefined],
  ['consul', { path: 'p' }, 'default', undefined, undefined],
]

t.test('each backend keeps the state of a workspace in its own place', async (t) => {
  for (const [type, fields, workspace, bucket, key] of places) {
    const { backend, unresolved } = stateLocation(type, fields as Record<string, string>, {
      workspace,
      directory: 'net',
    })
    const name = `${type} ${JSON.stringify(fields)} ${workspace}`
    t.same(
      [backend.type, backend.bucket, backend.key, unresolved],
      [type === 'cloud' ? 'remote' : type, bucket, key, []],
      name,
    )
  }
})

const s3 = (key: string, more = '') =>
  `terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "${key}"\n${more}  }\n}\n`
const reads = (config: string, more = '') =>
  `data "terraform_remote_state" "up" {\n  backend = "s3"\n  config = {\n    bucket = "b"\n    ${config}\n  }\n${more}}\n`

t.test(
  'the effective backend is the block with files and pairs of the stack and its instance laid over it',
  async (t) => {
    const { stack, warnings } = await scanTree(
      t,
      {
        'app/main.tf': 'terraform {\n  backend "s3" {\n    region = "eu-1"\n    key = "app"\n  }\n}\n',
        'config/common.hcl': 'bucket = "common" # all\nuse_lockfile = true\n',
        'app/eu.s3.tfbackend': 'key = "eu/app"\n',
        'cloud/main.tf': 'terraform {\n  backend "remote" {}\n}\n',
        'cloud/remote.hcl': 'organization = "o"\nworkspaces { name = "w" }\n',
      },
      `
stacks:
  - match: app
    backend_config: [../config/common.hcl]
    instances:
      eu: {backend_config: [eu.s3.tfbackend]}
      us: {workspace: us, backend_config: [key=us/app, bucket=us]}
      no: {backend_config: [gone.hcl]}
  - {match: cloud, backend_config: [remote.hcl]}
`,
    )
    t.same(stack('app:eu')?.backend, {
      type: 's3',
      bucket: 'common',
      key: 'eu/app',
      region: 'eu-1',
      use_lockfile: true,
    })
    t.same(stack('app:us')?.backend, {
      type: 's3',
      bucket: 'us',
      key: 'env:/us/us/app',
      region: 'eu-1',
      use_lockfile: true,
    })
    t.same(stack('app:eu')?.watch_paths, ['config/common.hcl'])
    t.same(stack('cloud')?.backend, { type: 'remote', bucket: 'app.terraform.io/o', key: 'w' })
    t.match(warnings, [{ code: 'file_missing', message: /app:no: the backend configuration file gone\.hcl/ }])
  },
)

t.test('a stack that reads the state of another has an edge to it', async (t) => {
  const { graph } = await scanTree(t, {
    'net/main.tf': s3('net/state'),
    'app/main.tf': s3('app/state') + reads('key = "net/state"'),
  })
  t.same(graph.edges, [
    {
      from: { kind: 'stack', key: 'app' },
      to: { kind: 'stack', key: 'net' },
      type: 'reads_state',
      inferred: true,
      meta: { bucket: 'b', key: 'net/state' },
    },
  ])
})

t.test('locals, variables, value files, workspaces and arguments of modules may say what it reads', async (t) => {
  const net = 'stacks: [{match: net, instances: {eu: {workspace: eu}, us: {workspace: us}}}'
  const variable = 'variable "w" {\n  default = "eu"\n}\n'
  const cases: [name: string, files: Record<string, string>, config: string, edges: string[]][] = [
    ['a default', { 'app/main.tf': variable + reads('key = "env:/${var.w}/net"') }, '', ['net:eu']],
    [
      'terraform.tfvars',
      { 'app/main.tf': variable + reads('key = "env:/${var.w}/net"'), 'app/terraform.tfvars': 'w = "us"' },
      '',
      ['net:us'],
    ],
    [
      'a later automatic file',
      {
        'app/main.tf': variable + reads('key = "env:/${var.w}/net"'),
        'app/terraform.tfvars': 'w = "us"',
        'app/x.auto.tfvars.json': '{"w": "eu"}',
      },
      '',
      ['net:eu'],
    ],
    [
      'a var file',
      {
        'app/main.tf': variable + reads('key = "env:/${var.w}/net"'),
        'app/x.auto.tfvars': 'w = "eu"',
        'v/us.tfvars': 'w = "us"',
      },
      ', {match: app, var_files: [../v/us.tfvars]}',
      ['net:us'],
    ],
    [
      'a value that no default may replace',
      { 'app/main.tf': variable + reads('key = "env:/${var.w}/net"'), 'app/terraform.tfvars': 'w = lower("US")' },
      '',
      [],
    ],
    [
      'locals',
      {
        'app/main.tf': `${variable}locals {\n  tail = "net"\n  key = "env:/\${var.w}/\${local.tail}"\n}\n${reads('key = local.key')}`,
      },
      '',
      ['net:eu'],
    ],
    [
      'locals that go in a cycle',
      { 'app/main.tf': `locals {\n  a = local.b\n  b = local.a\n}\n${reads('key = local.a')}` },
      '',
      [],
    ],
    [
      'its workspace',
      { 'app/main.tf': reads('key = "net"', '  workspace = terraform.workspace\n') },
      ', {match: app, workspace: us}',
      ['net:us'],
    ],
    [
      'a module',
      {
        'app/main.tf': 'module "m" {\n  source = "../m"\n  w = "us"\n}\n',
        'm/main.tf': variable + reads('key = "env:/${var.w}/net"'),
      },
      '',
      ['net:us'],
    ],
    [
      'a module of a module',
      {
        'app/main.tf': 'module "m" {\n  source = "../m"\n}\n',
        'm/main.tf': 'module "n" {\n  source = "./n"\n  w = local.w\n}\nlocals {\n  w = "us"\n}\n',
        'm/n/main.tf': variable + reads('key = "env:/${var.w}/net"'),
      },
      '',
      ['net:us'],
    ],
    [
      'an argument that cannot be known',
      {
        'app/main.tf': 'module "m" {\n  source = "../m"\n  w = x.y.z\n}\n',
        'm/main.tf': variable + reads('key = "env:/${var.w}/net"'),
      },
      '',
      [],
    ],
    ['a loop', { 'app/main.tf': reads('key = "env:/${each.key}/net"', '  for_each = toset(["eu"])\n') }, '', []],
  ]
  for (const [name, files, config, to] of cases) {
    const { edges, warnings } = await scanTree(t, { 'net/main.tf': s3('net'), ...files }, `${net}${config}]`)
    t.same(
      edges.filter((edge) => edge.includes('reads_state')),
      to.map((key) => `app reads_state ${key}`),
      name,
    )
    t.same(
      warnings.map(({ code }) => code),
      to.length === 0 ? ['remote_state_unresolved'] : [],
      `${name}: warnings`,
    )
  }
})

t.test('local states are compared by where they are in the repository, path.module too', async (t) => {
  const remote = (path: string) =>
    `data "terraform_remote_state" "up" {\n  backend = "local"\n  config = { path = "${path}" }\n}\n`
  const { edges } = await scanTree(t, {
    'a/net/main.tf': 'resource "terraform_data" "x" {}\n',
    'a/app/main.tf': remote('../net/terraform.tfstate'),
    'a/web/main.tf': remote('${path.module}/../net/terraform.tfstate'),
    'a/deep/main.tf': 'module "m" {\n  source = "../../lib/m"\n}\n',
    'lib/m/main.tf': remote('${path.module}/../../a/net/terraform.tfstate'),
  })
  t.same(
    edges.filter((edge) => edge.includes('reads_state')),
    ['a/app', 'a/deep', 'a/web'].map((key) => `${key} reads_state a/net`),
  )
})

t.test('a state that no stack here keeps has no edge; two stacks with one state cause a warning', async (t) => {
  const { edges, warnings } = await scanTree(t, {
    'a/main.tf': s3('same'),
    'b/main.tf': s3('same'),
    'app/main.tf': s3('app') + reads('key = "elsewhere"'),
    'own/main.tf': s3('own') + reads('key = "own"'),
  })
  t.same(edges, [])
  t.match(warnings, [
    { code: 'state_shared', stacks: ['a', 'b'], message: /a and b keep their state in the same place/ },
  ])
})

t.test('what cannot be known causes one warning per place, which names all its stacks', async (t) => {
  const { warnings } = await scanTree(
    t,
    {
      'app/main.tf': `${s3('${var.k}') + reads('key = data.x.y.z')}data "terraform_remote_state" "o" {\n  backend = "oss"\n}\n`,
    },
    'stacks: [{match: app, instances: {eu: , us: }}]',
  )
  t.match(warnings, [
    { code: 'backend_unresolved', stacks: ['app:eu'], message: /app:eu: key of its s3 backend/ },
    { code: 'backend_unresolved', stacks: ['app:us'] },
    {
      code: 'remote_state_unresolved',
      file: 'app/main.tf',
      line: 7,
      column: 1,
      message: /app\/main\.tf:7: terraform_remote_state 'up': key cannot be known/,
      stacks: ['app:eu', 'app:us'],
    },
    { code: 'remote_state_unresolved', message: /'o': states of backend oss are not compared/ },
  ])
  t.equal(warnings.length, 4)
})

t.test('where a state is kept matters only if somebody reads a state whose keeper is not found', async (t) => {
  const open = 'terraform {\n  backend "s3" {\n    bucket = "b"\n    key = var.k\n  }\n}\n'
  const cases: [name: string, app: string, codes: string[]][] = [
    ['nobody reads one', '', []],
    ['the keeper is known', reads('key = "net"'), []],
    ['nobody is known to keep it', reads('key = "elsewhere"'), ['backend_unresolved']],
    ['which one is not known', reads('key = data.x.y.z'), ['backend_unresolved', 'remote_state_unresolved']],
  ]
  for (const [name, app, codes] of cases)
    t.same((await scanTree(t, { 'a/main.tf': open, 'net/main.tf': s3('net'), 'app/main.tf': app })).codes, codes, name)
})

t.test('after a file that is not in the repository nothing counts as known', async (t) => {
  const { edges, codes } = await scanTree(
    t,
    {
      'net/main.tf': s3('net'),
      'dns/main.tf': s3('dns'),
      'app/main.tf': `variable "k" {\n  default = "dns"\n}\n${reads('key = var.k')}`,
      'web/main.tf': reads('key = "net"'),
      'bad/main.tf': 'terraform {\n  backend "s3" {\n',
    },
    'stacks: [{match: net, backend_config: [made.hcl]}, {match: app, var_files: [made.tfvars]}]',
  )
  t.same(edges, [])
  t.same(codes.sort(), ['file_missing', 'file_missing', 'remote_state_unresolved', 'syntax'])
})
