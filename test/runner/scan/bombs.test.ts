import t from 'tap'
import { scanTree, type Tree } from './scan-tree.ts'

/*
 * Values, modules and stacks that take another one twice, which takes another one twice; and chains that end only far below. What
 * comes of them is not known, is said, and takes no longer than a plain tree.
 */

const twice = (count: number, of: (below: string) => string, first: string): string =>
  `locals {\n  a0 = ${first}\n${Array.from({ length: count }, (_, i) => `  a${i + 1} = ${of(`local.a${i}`)}\n`).join('')}}\n`

const reading = (bucket: string): string =>
  `data "terraform_remote_state" "x" {\n  backend = "s3"\n  config = {\n    bucket = ${bucket}\n    key = "k"\n  }\n}\n`

const unknownState = /: terraform_remote_state 'x': (?:bucket|its config) cannot be known before a run/

const modules = (count: number, call: (next: string) => string, last: string): Tree => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}/main.tf`, call(`../m${i + 1}`)])),
  [`m${count}/main.tf`]: last,
  'root/main.tf': 'module "a" {\n  source = "../m0"\n  x = ""\n}\n',
})

const calls =
  (...names: string[]) =>
  (source: string) =>
    `variable "x" {}\n${names.map((name) => `module "${name}" {\n  source = "${source}"\n  x = "\${var.x}\${var.x}"\n}\n`).join('')}`

t.test('of configuration', async (t) => {
  const cases: [name: string, main: string][] = [
    ['a text', `${twice(60, (below) => `"\${${below}}\${${below}}"`, '"xx"')}${reading('local.a60')}`],
    ['a list', `${twice(60, (below) => `[${below}, ${below}]`, '["x"]')}${reading('local.a60[0]')}`],
    ['an object', `${twice(60, (below) => `{ a = ${below}, b = ${below} }`, '"x"')}${reading('local.a60.a')}`],
    ['a chain of names', `${twice(20_000, (below) => below, '"x"')}${reading('local.a20000')}`],
  ]
  for (const [name, main] of cases) {
    const { keys, warnings } = await scanTree(t, { 'a/main.tf': main })
    t.same(keys, ['a'], name)
    t.match(warnings, [{ code: 'remote_state_unresolved', message: unknownState }], name)
  }
})

t.test('of modules', async (t) => {
  const whose = reading(`"\${var.x}b"`)
  const kept = { 'kept/main.tf': 'terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "k"\n  }\n}\n' }
  const doubled = await scanTree(t, { ...modules(40, calls('a'), `variable "x" {}\n${whose}`), ...kept })
  t.ok(doubled.edges.includes('root reads_state kept'), 'a variable that is taken twice at each level is read once')
  t.same(doubled.codes, [])
  const cases: [name: string, tree: Tree][] = [
    ['called twice', modules(40, calls('a', 'b'), whose)],
    ['in each other', modules(2000, calls('a'), whose)],
  ]
  for (const [name, tree] of cases) {
    const { keys, warnings } = await scanTree(t, tree)
    t.same(keys, ['root'], name)
    t.ok(
      warnings.some(({ message }) => message.startsWith('root: it calls more than 2000 modules that read states')),
      name,
    )
  }
})

t.test('of units', async (t) => {
  const cases: [name: string, count: number, of: (below: string) => string, first: string][] = [
    ['a text', 60, (below) => `"\${${below}}\${${below}}"`, '"xx"'],
    ['a text that functions make', 60, (below) => `format("%s%s", ${below}, ${below})`, '"xx"'],
    ['joined', 60, (below) => `join("x", [${below}, ${below}])`, '"xx"'],
    ['replaced', 60, (below) => `replace(${below}, "x", "xx")`, '"xx"'],
    ['a list', 60, (below) => `concat(${below}, ${below})`, '["x"]'],
    ['lists in lists', 60, (below) => `[${below}, ${below}]`, '["x"]'],
    ['an object', 60, (below) => `{ a = ${below}, b = ${below} }`, '"x"'],
    ['a chain of names', 20_000, (below) => `trimspace(${below})`, '"../m"'],
    ['lists in each other', 20_000, (below) => `[${below}]`, '"x"'],
  ]
  for (const [name, count, of, first] of cases) {
    const unit = `${twice(count, of, first)}terraform {\n  source = local.a${count}\n}\n`
    const { keys, warnings } = await scanTree(t, { 'a/terragrunt.hcl': unit })
    t.same(keys, ['a'], name)
    t.match(warnings, [{ code: 'terragrunt_unresolved', message: /: the source of its code cannot be known/ }], name)
  }
})

t.test('of stacks of units', async (t) => {
  const of = (i: number) =>
    ['a', 'b']
      .map((name) => `stack "${name}" {\n  source = "\${get_repo_root()}/s${i + 1}"\n  path = "${name}"\n}\n`)
      .join('')
  const stacks = Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`s${i}/terragrunt.stack.hcl`, of(i)]))
  const tree = {
    ...stacks,
    's18/terragrunt.stack.hcl': `unit "u" {\n  source = "\${get_repo_root()}/u"\n  path = "u"\n}\n`,
  }
  await t.rejects(scanTree(t, { ...tree, 'u/terragrunt.hcl': 'terraform {\n  source = "."\n}\n' }), {
    code: 'invalid',
    message: 's0/terragrunt.stack.hcl: it makes more than 20000 units and stacks',
  })
})
