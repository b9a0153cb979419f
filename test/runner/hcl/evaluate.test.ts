// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { evaluate, literal } from '#runner/hcl/evaluate.ts'
import type { Partly } from '#runner/hcl/value.ts'

const names: Record<string, Partly> = {
  'var.region': 'eu-1',
  'var.count': 3,
  'var.on': true,
  'var.huge': 1e30,
  'var.list': ['a', 'b'],
  'local.tags': { team: 'core', 'cost-center': '7', secret: undefined },
}
const scope = (root: string, name: string): Partly => names[`${root}.${name}`]

const plain = (value: Partly): Partly => (value === undefined ? undefined : structuredClone(value))

const cases: [expression: string, value: Partly][] = [
  ['"a${var.region}-${var.count}-${var.on}"', 'aeu-1-3-true'],
  ['"${var.count}"', 3],
  ['var.list', ['a', 'b']],
  ['var.list[1]', 'b'],
  ['var.list.0', 'a'],
  ['local.tags.team', 'core'],
  ['local.tags["cost-center"]', '7'],
  ['(var.region)', 'eu-1'],
  ['/* c */ var.region', 'eu-1'],
  ['"x" // y', 'x'],
  ['[var.region, var.unknown]', ['eu-1', undefined]],
  ['{ a = var.region, (var.region) = 1, b = f(1) }', { a: 'eu-1', 'eu-1': 1, b: undefined }],
  ['<<-E\n  x ${var.region}\n  E', 'x eu-1\n'],
  ['- 5', -5],
  ['[1 2]', [undefined]],
  ['7 # seven', 7],
  ['var.region /* where */', 'eu-1'],
]

const unknown = [
  'var.unknown',
  'local.tags.secret',
  'local.tags.none',
  'var.list[9]',
  'var.list[*]',
  'var.list[var.count]',
  'each.key',
  'upper(var.region)',
  'var.on ? "a" : "b"',
  '"a" == "a"',
  '1 + 2',
  '"a" "b"',
  '!true',
  'var',
  'provider::x::y(1)',
  '"a${var.unknown}"',
  '"a${var.list}"',
  '"a${var.huge}"',
  '"a${~ var.region ~}"',
  '"%{ if var.on }a%{ endif }"',
  '[for x in var.list : x]',
  '{ for x in var.list : x => x }',
  '{ f(1) = 2 }',
  '{ a }',
  '{ a = 1 b = 2 }',
  '[',
  '"',
  '<<E',
  '',
]

t.test('literals, known names and plain templates have values', async (t) => {
  for (const [expression, value] of cases) t.strictSame(plain(evaluate(expression, scope)), value, expression)
})

t.test('nothing else has a value: what could be wrong is not guessed', async (t) => {
  for (const expression of unknown) t.equal(evaluate(expression, scope), undefined, expression)
  t.equal(literal('[1, var.region]'), undefined, 'a literal is known as a whole')
  t.strictSame(plain(literal('{ a = [1, "x", true, null] }')), { a: [1, 'x', true, null] })
  t.equal((evaluate('{ a = 1 }', scope) as { toString?: unknown }).toString, undefined, 'objects inherit no names')
})
