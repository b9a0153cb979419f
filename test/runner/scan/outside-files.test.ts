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
      'live/app/main.tf': `${locals(expression)}locals {\n  dir = "\${path.module}/../dir"\n}\nvariable "unset" {}\nvariable "env" {}\n`,
      'live/app/terraform.tfvars': 'env = "prod"\n',
    })
    t.same(stack('live/app')?.watch_paths ?? [], watched, expression)
  }
})

t.test('in the JSON syntax, too', async (t) => {
  const { stack } = await scanTree(t, {
    'app/main.tf.json':
      '{"resource": {"a": {"b": {"c": ["${file(\\"../x.json\\")}"]}}}, "output": {"d": {"value": "${filemd5(\\"../y\\")}"}}}',
  })
  t.same(stack('app')?.watch_paths, ['x.json', 'y'])
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
