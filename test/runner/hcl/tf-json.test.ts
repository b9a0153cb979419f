// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import type { Block, Body } from '#runner/hcl/body.ts'
import { evaluate } from '#runner/hcl/evaluate.ts'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import { parseTfJson } from '#runner/hcl/tf-json.ts'
import type { Partly } from '#runner/hcl/value.ts'

const scope = (root: string, name: string): Partly => (`${root}.${name}` === 'var.region' ? 'eu-1' : undefined)

const plain = (value: Partly): Partly => (value === undefined ? undefined : structuredClone(value))

const shape = ({ attributes, blocks }: Body): unknown => ({
  values: Object.fromEntries(
    [...attributes.values()].map(({ name, expression }) => [name, plain(evaluate(expression, scope))]),
  ),
  blocks: blocks.map(({ type, labels, body }: Block) => ({ type, labels, body: shape(body) })),
})

t.test('the JSON syntax gives the same as the native one', async (t) => {
  const native = parseHcl(`
terraform {
  required_version = "1.5.7"
  backend "s3" {
    bucket = "b"
    key    = "\${var.region}/x"
  }
}
module "a" {
  source = "./a"
  tags   = { "q\\"q" = "line\\nbreak \\u0008 \\\\b" }
}
module "b" {
  source = "./b"
  x      = "\${lookup(var.m, "k")}"
  y      = "$\${no}"
}
data "terraform_remote_state" "n" {
  backend = "local"
  config  = { path = "../n" }
}
data "terraform_remote_state" "n" {
  backend = "http"
}
locals {
  a = [1, true, null]
}
`)
  const json = parseTfJson(
    JSON.stringify({
      '//': 'a comment',
      terraform: { required_version: '1.5.7', backend: { s3: { bucket: 'b', key: '${var.region}/x' } } },
      module: [
        { a: { source: './a', tags: { 'q"q': 'line\nbreak \b \\b' } } },
        { b: { source: './b', x: '${lookup(var.m, "k")}', y: '$${no}' } },
      ],
      data: { terraform_remote_state: { n: [{ backend: 'local', config: { path: '../n' } }, { backend: 'http' }] } },
      locals: { a: [1, true, null] },
    }),
  )
  t.strictSame(shape(json), shape(native))
})

t.test('text that is not JSON, or not an object, is refused with its place', async (t) => {
  for (const [text, at] of [
    ['{\n  "a": x\n}', '2:8'],
    ['{"a": 1', '1:8'],
    ['3', '1:1'],
  ] as const) {
    try {
      parseTfJson(text)
      t.fail(text)
    } catch (error) {
      const { line, column } = error as { line: number; column: number }
      t.equal(`${line}:${column}`, at, text)
    }
  }
})
