// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import t from 'tap'
import { type Names, readExpression } from '#runner/hcl/expression.ts'
import { openObject } from '#runner/hcl/operators.ts'
import type { Partly } from '#runner/hcl/value.ts'
import { callLazily, callPlain } from '#runner/scan/terragrunt/plain-functions.ts'

const known: Record<string, Partly> = {
  'local.name': 'app',
  'local.on': true,
  'local.list': ['a', 'b'],
  'local.map': { a: { b: 1 }, 'x-y': null },
  'local.open': openObject({ a: 1 }),
}

const names: Names = {
  name: (root, member) => known[`${root}.${member}`],
  call: (name, args) =>
    (
      callLazily(name, args) ?? {
        value: callPlain(
          name,
          args.map((arg) => arg()),
        ),
      }
    ).value,
}

const plain = (value: Partly): Partly => (value === undefined ? undefined : structuredClone(value))

const cases: [expression: string, value: Partly][] = [
  ['1 + 2 * 3 - -4', 11],
  ['(1 + 2) * 3 % 4', 1],
  ['1 < 2 && !(2 <= 1) || false', true],
  ['local.unknown && false', false],
  ['local.unknown || true', true],
  ['"${local.name}-$${x}-\\"${local.list[1]}\\u0041"', 'app-${x}-"bA'],
  ['"${local.list}"', ['a', 'b']],
  ['<<-E\n  x ${upper(local.name)}\n  E', 'x APP\n'],
  ['local.map.a["b"]', 1],
  ['local.map["x-y"] == null', true],
  ['local.on ? "yes" : local.none.x', 'yes'],
  ['{ a = 1, "b-${local.name}" = 2\n c : [1,\n 2] }', { a: 1, 'b-app': 2, c: [1, 2] }],
  ['merge({ a = 1 }, local.map...)', undefined],
  ['concat(local.list, ["c"])', ['a', 'b', 'c']],
  ['join("/", concat(local.list...))', undefined],
  ['format("%s-%d%%", local.name, 3)', 'app-3%'],
  ['format("%05d", 3)', undefined],
  ['split("-", "a-b")', ['a', 'b']],
  ['replace("a.b.c", ".", "/")', 'a/b/c'],
  ['replace("abc", "/b/", "x")', undefined],
  ['trim("--a-", "-")', 'a'],
  ['trimsuffix(trimprefix("x/a.hcl", "x/"), ".hcl")', 'a'],
  ['substr("hello", 1, 3)', 'ell'],
  ['lookup({ a = 1 }, "b", 2)', 2],
  ['try(local.map.none, local.list[9], "last")', 'last'],
  ['try(local.unknown, "a")', undefined],
  ['try(local.open.b, "a")', undefined],
  ['coalesce("", null, "c")', 'c'],
  ['length(keys({ b = 1, a = 2 }))', 2],
  ['yamldecode("a: [1, x]")', { a: [1, 'x'] }],
  ['jsondecode("{\\"a\\":1}").a', 1],
  ['jsondecode("{")', undefined],
  ['contains(local.list, "b") && startswith("ab", "a")', true],
  ['element(reverse(local.list), 3)', 'a'],
  ['distinct(compact(["a", "", "a", null]))', ['a']],
  ['[for x in local.list : x]', undefined],
  ['{ for i, x in local.list : x => [for y in local.list : y]... if i > 0 }', undefined],
  ['[1, [for x in local.map.none : x.y[9]]]', [1, undefined]],
  ['local.list[*]', undefined],
  ['local.list.*.x', undefined],
  ['"%{ if local.on }a%{ endif }"', undefined],
  ['"a${~ local.name ~}"', undefined],
  ['[1, "%{ for k, v in local.none.x ~}${ local.map.none ~}%{ endfor ~}"]', [1, undefined]],
  ['[1, <<E\n%{ if local.on }\n${local.map.none}\n%{ else }\n$${x}%%{ y }\n%{ endif }\nE\n]', [1, undefined]],
  ['file("x")', undefined],
  ['1 / 0', undefined],
  ['local.name +', undefined],
  ['', undefined],
]

t.test('an expression is what is known of it', async (t) => {
  for (const [expression, value] of cases) t.strictSame(plain(readExpression(expression)(names)), value, expression)
})

t.test('what the language would refuse is told from what is not known', async (t) => {
  for (const expression of ['local.map.none', 'local.list[2]', 'local.name.x', 'try(local.map.none)', 'coalesce("")'])
    t.throws(() => readExpression(expression)(names), { name: 'Absent' }, expression)
})

t.test('a hostile expression ends no process', async (t) => {
  for (const text of ['(', '[', '{a=', '"${', '!', '-', '1+', 'a.', 'a[', 'f(', 'a?b:'])
    t.doesNotThrow(() => readExpression(text.repeat(20_000))(names), text)
  t.equal(readExpression(`1${'+1'.repeat(50_000)}`)(names), 50_001)
})
