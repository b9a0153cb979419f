// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { resolve } from '#domain/resolution/resolve.ts'
import { configOf, scanTree } from './scan-tree.ts'

const resource = 'resource "terraform_data" "x" {}\n'
const locals = (value: string) => `${resource}locals {\n  x = ${value}\n}\n`

/** An expression in `live/app/main.tf`, and what it makes the stack watch. */
const cases: [expression: string, watched: string[]][] = [
  ['file("../../shared/a.json")', ['shared/a.json']],
  ['file("${path.module}/../../shared/a.json")', ['shared/a.json']],
  ['templatefile("${path.root}/../a.tpl", { a = file("${path.cwd}/../b.txt") })', ['live/a.tpl', 'live/b.txt']],
  ['filebase64("../a") == filemd5("../b")', ['live/a', 'live/b']],
  ['[filesha1("../a"), filesha256("../b"), filesha512("../c")]', ['live/a', 'live/b', 'live/c']],
  ['{ a = filebase64sha256("../a"), b = filebase64sha512("../b") }', ['live/a', 'live/b']],
  ['fileexists("../a") ? 1 : 2', ['live/a']],
  ['jsondecode(file("../a.json")).b', ['live/a.json']],
  ['yamldecode(templatestring(file("../a.yml"), {}))', ['live/a.yml']],
  ['"text ${file("../a")} ${trimspace(file("../b"))}"', ['live/a', 'live/b']],
  ['<<-EOT\n  file("../no") ${file("../a")}\n  EOT\n', ['live/a']],
  ['fileset("${path.module}/../policies", "**/*.json")', ['live/policies/**/*.json']],
  ['fileset("../policies", var.pattern)', ['live/policies/**']],
  ['[for f in fileset("../p", "*.json") : file("../p/${f}")]', ['live/p/**', 'live/p/*.json']],
  ['file("${path.module}/../../shared/${var.unset}/a.json")', ['shared/**']],
  ['file("../../shared/env-${var.unset}.json")', ['shared/**']],
  ['file("../../shared/${var.env}.json")', ['shared/prod.json']],
  ['file("${local.dir}/a.json")', ['live/dir/a.json']],
  ['file(abspath("../a.json"))', ['live/a.json']],
  ['fileset(path.module, "../../policies/*.json")', ['policies/*.json']],
  ['fileset("${path.module}/../a", "../b/c/**")', ['live/b/c/**']],
  ['fileset(".", "../p/${var.env}/${var.unset}/*.json")', ['live/p/prod/**']],
  ['fileset(path.module, "own/../*.json")', []],
  ['file("../[odd]/a{b}.json")', ['live/\\[odd\\]/a\\{b\\}.json']],
  ['file("own/a.json")', []],
  ['file("${path.module}/${var.unset}")', []],
  ['file(var.unset)', []],
  ['file("/etc/hosts")', []],
  ['file("../../../outside")', []],
  ['"file(\\"../a\\") $${file("', []],
  ['1 # file("../a")', []],
  ['profile("../a")', []],
  ['file("../nested/deep/a.json")', ['live/nested/deep/a.json']],
]

t.test('files that functions read outside of the directory are watched', async (t) => {
  for (const [expression, watched] of cases) {
    const { stack } = await scanTree(t, {
      'live/app/main.tf': `${locals(expression)}locals {\n  dir = "../dir"\n}\nvariable "unset" {}\nvariable "env" {}\n`,
      'live/app/terraform.tfvars': 'env = "prod"\n',
    })
    t.same(stack('live/app')?.watch_paths ?? [], watched, expression)
  }
})

/** A string in `live/app/main.tf` that no function takes, and what it makes the stack watch. */
const strings: [expression: string, watched: string[]][] = [
  ['"${path.module}/../../functions/app"', ['functions/app/**']],
  ['"${path.root}/../../functions/app/i.py"', ['functions/app/i.py']],
  ['["bash", "${ path.cwd }/../../functions/${var.env}"]', ['functions/prod/**']],
  ['"${path.module}/../../functions/${var.unset}.py"', ['functions/**']],
  ['"${path.module}/${local.up}/functions/app/"', ['functions/app/**']],
  ['abspath("${path.module}/../[odd]")', ['live/\\[odd\\]/**']],
  ['file(abspath("${path.module}/../../functions/app/i.py"))', ['functions/app/i.py']],
  ['"${file("own")}${"${path.module}/../../functions/app"}"', ['functions/app/**']],
  ['fileset("${path.module}/../../functions", "*.py")', ['functions/*.py']],
  ['fileset("${path.module}/..", "*") == "${path.module}/.."', ['live/*']],
  ['"${path.module}/../.."', []],
  ['"${path.module}/../../${var.unset}/app"', []],
  ['"${path.module}/../app/own"', []],
  ['"${path.module}/own"', []],
  ['"${path.module}/../../../outside"', []],
  ['"see ${path.module}/../../functions/app"', []],
  ['"${pathology.module}/../../functions/app"', []],
  ['1 # "${path.module}/../../functions/app"', []],
  ['<<-EOT\n  "${path.module}/../../functions/app"\n  EOT\n', []],
]

t.test('a string that leads out of the directory from where the tool runs, or the module is, is watched', async (t) => {
  for (const [expression, watched] of strings) {
    const { stack } = await scanTree(t, {
      'live/app/main.tf': `${locals(expression)}locals {\n  up = "../.."\n}\nvariable "unset" {}\nvariable "env" {}\n`,
      'live/app/terraform.tfvars': 'env = "prod"\n',
      'functions/app/i.py': '',
    })
    t.same(stack('live/app')?.watch_paths ?? [], watched, expression)
  }
})

t.test(
  'the source of a module is none of these strings: it is warned of, as what it names cannot be known',
  async (t) => {
    const { stack, codes } = await scanTree(t, {
      'app/main.tf': 'module "m" {\n  source = "${path.module}/../modules/m" # ours\n}\n',
      'json/main.tf.json': '{"module": {"m": {"source": "${path.module}/../modules/m"}}}',
      'modules/m/main.tf': resource,
    })
    t.same([stack('app')?.watch_paths, stack('json')?.watch_paths], [undefined, undefined])
    t.same(codes, ['module_unresolved', 'module_unresolved'])
  },
)

t.test('a module reads what its caller names', async (t) => {
  const called = (args: string) => `module "m" {\n  source = "../../modules/outer"\n${args}}\n`
  const { stack } = await scanTree(t, {
    'live/one/main.tf': called(
      '  policy = "../../policies/one.json"\n  name = "one"\n  own = "${path.module}/own.json"\n',
    ),
    'live/two/main.tf': called('  policy = var.unset\n  own = path.module\n'),
    'modules/outer/main.tf':
      'variable "policy" {}\nvariable "own" {}\nvariable "name" {\n  default = "plain"\n}\nmodule "m" {\n  source = "../inner"\n  file = var.policy\n  own = var.own\n  name = "${var.name}.json"\n}\n',
    'modules/inner/main.tf': `variable "file" {}\nvariable "own" {}\nvariable "name" {}\n${locals(
      '[file(var.file), file(var.own), file("${path.module}/../rules/${var.name}"), "${path.root}/build"]',
    )}`,
  })
  // and what its path says whoever calls it: a job may set other values than the code shows
  const wide = 'modules/rules/**'
  t.same(stack('live/one')?.watch_paths, [wide, 'modules/rules/one.json', 'policies/one.json'])
  t.same(stack('live/two')?.watch_paths, [wide, 'modules/rules/plain.json'])
})

t.test('more calls than are followed leave no directory out', async (t) => {
  const twice = (source: string) => ['a', 'b'].map((name) => `module "${name}" {\n  source = "${source}"\n}\n`).join('')
  const chain = Array.from({ length: 12 }, (_, i) => [`modules/m${i}/main.tf`, twice(`../m${i + 1}`)])
  const { stack } = await scanTree(t, {
    'app/main.tf': twice('../modules/m0') + twice('../last').replaceAll(/"([ab])"/g, '"x$1"'),
    'last/main.tf': locals('file("${path.module}/../z.json")'),
    ...Object.fromEntries(chain),
    'modules/m12/main.tf': `variable "x" {}\n${locals('file("${path.module}/../rules/${var.x}.json")')}`,
  })
  t.same(stack('app')?.watch_paths, ['modules/rules/**', 'z.json'])
})

t.test('in the JSON syntax, too', async (t) => {
  const { stack } = await scanTree(t, {
    'app/main.tf.json':
      '{"resource": {"a": {"b": {"c": ["${file(\\"../x.json\\")}"]}}}, "output": {"d": {"value": "${filemd5(\\"../y\\")}"}, "e": {"value": "${path.module}/../z"}}}',
  })
  t.same(stack('app')?.watch_paths, ['x.json', 'y', 'z/**'])
})

t.test('what a module reads outside of its directory affects the stacks that use it', async (t) => {
  const { graph, stack } = await scanTree(t, {
    'live/app/main.tf': 'module "m" {\n  source = "../../modules/outer"\n}\n',
    'live/app/nested/main.tf': resource,
    'live/reader/main.tf': locals('file("../app/nested/a.json")'),
    'live/app/files.tf': locals('file("nested/b.json")'),
    'modules/outer/main.tf': 'module "m" {\n  source = "../inner"\n}\n',
    'modules/inner/main.tf': locals(
      '[file("${path.module}/../rules.json"), file("../of-the-stack.json"), file("${path.module}/own")]',
    ),
  })
  t.same(stack('live/app')?.watch_paths, ['live/app/nested/b.json', 'live/of-the-stack.json', 'modules/rules.json'])
  const affectedBy = (path: string) =>
    resolve({ graph, changedPaths: [path], config: configOf('') }).affected.map(({ key }) => key)
  t.same(affectedBy('modules/rules.json'), ['live/app'])
  t.same(affectedBy('live/app/nested/a.json'), ['live/app/nested', 'live/reader'])
  t.same(affectedBy('live/app/nested/b.json'), ['live/app', 'live/app/nested'])
})
