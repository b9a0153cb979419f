import t from 'tap'
import { scanTree } from './scan-tree.ts'

const s3 = (key: string, more = '') =>
  `terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "${key}"\n${more}  }\n}\n`
const reads = (config: string, more = '') =>
  `data "terraform_remote_state" "up" {\n  backend = "s3"\n  config = {\n    bucket = "b"\n    ${config}\n  }\n${more}}\n`

const outputs = (name: string, more = 'organization = "o"') =>
  `data "tfe_outputs" "${name}" {\n  ${more}\n  workspace = "${name}"\n}\n`
const cloud = (name: string) =>
  `terraform {\n  cloud {\n    organization = "o"\n    workspaces {\n      name = "${name}"\n    }\n  }\n}\n`

t.test('outputs of HCP Terraform are those of the stack that keeps its state in that workspace', async (t) => {
  const cases: [name: string, app: string, edges: string[], warned: string | undefined][] = [
    ['by name', outputs('net'), ['app reads_state net'], undefined],
    [
      'both kinds',
      outputs('net') + reads('key = "dns"').replace('"up"', '"net"'),
      ['app reads_state dns', 'app reads_state net'],
      undefined,
    ],
    ['of nobody here', outputs('elsewhere'), [], undefined],
    ['of another organization', outputs('net', 'organization = "p"'), [], undefined],
    [
      "of its provider's organization",
      outputs('net', ''),
      [],
      "tfe_outputs 'net': its organization cannot be known before a run",
    ],
    [
      'by a name from outside',
      outputs('net').replace('"net"\n}', 'var.w\n}'),
      [],
      "tfe_outputs 'net': its workspace cannot be known",
    ],
  ]
  for (const [name, app, wanted, warned] of cases) {
    const { edges, warnings } = await scanTree(t, {
      'net/main.tf': cloud('net'),
      'dns/main.tf': s3('dns'),
      'app/main.tf': `variable "w" {}\n${app}`,
    })
    t.same(edges, wanted, name)
    t.equal(warnings.length, warned === undefined ? 0 : 1, `${name}: warnings`)
    if (warned !== undefined) t.match(warnings[0]?.message, warned, name)
  }
})

t.test('depends_on settles whose state is read, if it names as many stacks as there are such states', async (t) => {
  const app = (count: number): string =>
    Array.from({ length: count }, (_, i) => reads('key = data.x.y.z').replace('"up"', `"up${i}"`)).join('')
  const cases: [name: string, main: string, dependsOn: string, warned: number][] = [
    ['nothing is named', app(1), '[]', 1],
    ['one state, one stack', app(1), '[net]', 0],
    ['one state, two stacks', app(1), '[net, dns]', 0],
    ['two states, one stack', app(2), '[net]', 2],
    ['two states, a glob of two', app(2), '["{net,dns}"]', 0],
    ['a stack whose state is known to be read', app(1) + reads('key = "net"').replace('"up"', '"net"'), '[net]', 1],
    ['a stack of another repository', app(1), '[acme/other//net]', 0],
    ['a stack that is not there', app(1), '[gone]', 2],
  ]
  for (const [name, main, dependsOn, warned] of cases) {
    const { warnings } = await scanTree(
      t,
      { 'net/main.tf': s3('net'), 'dns/main.tf': s3('dns'), 'app/main.tf': main },
      `stacks: [{match: app, depends_on: ${dependsOn}}]`,
    )
    t.equal(warnings.length, warned, name)
  }
})

t.test('a file that is encrypted is called so, and what it sets is not known', async (t) => {
  const gitCrypt = '\0GITCRYPT\0\u0001\u0002{"'
  const sops = '{"key": "ENC[AES256_GCM,data:bmV0,iv:eA==,tag:eA==,type:str]", "sops": {"version": "3.9.0"}}'
  const state = reads('key = var.key')
  const cases: [name: string, files: Record<string, string>, warned: RegExp[]][] = [
    [
      'values by git-crypt',
      { 'app/terraform.tfvars': gitCrypt },
      [/^app\/terraform\.tfvars is encrypted by git-crypt, /],
    ],
    ['values by sops', { 'app/a.auto.tfvars.json': sops }, [/^app\/a\.auto\.tfvars\.json is encrypted by sops, /]],
    ['values by sops that are no JSON by name', { 'app/terraform.tfvars': sops }, [/ is encrypted by sops, /]],
    ['code by git-crypt', { 'app/secret.tf': gitCrypt }, [/^app\/secret\.tf:1:1: is encrypted by git-crypt, /]],
  ]
  for (const [name, files, warned] of cases) {
    const main = `variable "key" {\n  default = "net"\n}\n${state}`
    const { warnings } = await scanTree(t, { 'net/main.tf': s3('net'), 'app/main.tf': main, ...files })
    const unknown = name.startsWith('values') ? [/whose state it reads/] : []
    t.match(
      warnings.map(({ message }) => message),
      [...warned, ...unknown],
      name,
    )
    t.equal(warnings.length, warned.length + unknown.length, name)
  }
})
