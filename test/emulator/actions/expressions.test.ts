// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { fill, fillText, holds } from '#emulator/actions/expressions/template.ts'
import type { Value } from '#emulator/actions/expressions/value.ts'

const contexts = {
  github: {
    event: { number: 7, pull_request: { head: { sha: 'abc', repo: null } } },
    ref: 'refs/pull/7/merge',
    repository: 'Octo/Infra',
  },
  env: { EMPTY: '', ZERO: '0', Mixed_Case: 'yes' },
  matrix: { stack: 'aws/prod', list: ['a', 'b', null, 1.5], flags: { deep: [true] }, 'dashed-name': 1 },
  needs: { resolve: { result: 'success', outputs: { any: 'true', matrix: '{"include":[{"stack":"a"}]}' } } },
  list: [1, 'Two', true, null],
  empty: [],
  map: { a: 1 },
}

const value = (expression: string): Value => fill(`\${{ ${expression} }}`, { contexts })

type Row = readonly [expression: string, value: Value]

const rows: Record<string, readonly Row[]> = {
  literals: [
    ['null', null],
    ['true', true],
    ['false', false],
    ['711', 711],
    ['-9.2', -9.2],
    ['.5', 0.5],
    ['0xff', 255],
    ['0o17', 15],
    ['-2.99e-2', -0.0299],
    ["'text'", 'text'],
    ["'It''s'", "It's"],
    ["''", ''],
    ["'}} stays'", '}} stays'],
  ],
  access: [
    ['github.event.number', 7],
    ["github['event']['number']", 7],
    ['github.event.pull_request.head.sha', 'abc'],
    ['GITHUB.Event.NUMBER', 7],
    ['env.mixed_case', 'yes'],
    ['matrix.dashed-name', 1],
    ['list[1]', 'Two'],
    ["list['0']", 1],
    ['list[9]', null],
    ['list[-1]', null],
    ['github.event.missing.deeper', null],
    ['github.event.pull_request.head.repo.full_name', null],
    ['unknown.thing', null],
    ['matrix.toString', null],
    ['matrix.flags.deep[0]', true],
    ['fromJSON(\'{"a":[10]}\').a[0]', 10],
    ["(fromJSON('[3]'))[0]", 3],
    ['map.true', null],
  ],
  equality: [
    ["'A' == 'a'", true],
    ["'a' != 'b'", true],
    ["1 == '1'", true],
    ["' 1 ' == 1", true],
    ["'0x10' == 16", true],
    ["'1a' == 1", false],
    ["null == ''", true],
    ['null == 0', true],
    ['null == null', true],
    ['null == false', true],
    ["true == '1'", true],
    ["true == 'true'", false],
    ["false == ''", true],
    ['NaN == NaN', false],
    ['NaN != NaN', true],
    ['map == map', true],
    ['map == fromJSON(\'{"a":1}\')', false],
    ["list == '1'", false],
    ['map == null', false],
    ["needs.resolve.outputs.any == 'true'", true],
    ['needs.resolve.outputs.any == true', false],
    ["github.repository == 'octo/infra'", true],
  ],
  order: [
    ['1 < 2', true],
    ['2 <= 2', true],
    ['2 > 2', false],
    ['2 >= 3', false],
    ["'a' < 'B'", true],
    ["'10' < '9'", true],
    ["10 < '9'", false],
    ["'b' >= 'B'", true],
    ['null < 1', true],
    ["'x' < 1", false],
    ["'x' >= 1", false],
    ['list > 0', false],
    ['true > false', true],
    ['-1 < -.5', true],
  ],
  logic: [
    ['!true', false],
    ["!''", true],
    ['!!list', true],
    ['!empty', false],
    ['!NaN', true],
    ['true && false', false],
    ["'left' && 'right'", 'right'],
    ["'' && 'right'", ''],
    ["'left' || 'right'", 'left'],
    ["'' || 'right'", 'right'],
    ['null || 0', 0],
    ["env.ZERO && 'a text of 0 is true'", 'a text of 0 is true'],
    ["github.ref == 'x' && 'prod' || 'default'", 'default'],
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['!false == true', true],
    ['!(1 == 2)', true],
    ['1 == 1 == true', true],
    ['1 < 2 == true', true],
    ["1 == 1 && 'a' != 'b' || false", true],
  ],
  functions: [
    ["contains('Hello world', 'LLO')", true],
    ["contains('abc', 'd')", false],
    ["contains(list, 'two')", true],
    ["contains(list, '1')", true],
    ['contains(list, 5)', false],
    ["contains(map, 'a')", false],
    ["contains(null, '')", true],
    ['contains(12345, 34)', true],
    ["startsWith('Hello', 'he')", true],
    ["startsWith('Hello', 'lo')", false],
    ["startsWith(github.ref, 'refs/pull/')", true],
    ['startsWith(123, 12)', true],
    ["endsWith('Hello', 'LO')", true],
    ["endsWith('Hello', '')", true],
    ["format('{0} {1} {0}', 'a', 2)", 'a 2 a'],
    ["format('{{{0}}}', 'a')", '{a}'],
    ["format('{{0}}', 'a')", '{0}'],
    ["format('{0}|{1}|{2}', null, true, list)", '|true|Array'],
    ["format('{0}', '{1}')", '{1}'],
    ["join(list, '-')", '1-Two-true-'],
    ['join(matrix.list)', 'a,b,,1.5'],
    ["join('abc')", 'abc'],
    ['join(empty)', ''],
    ['join(list, null)', '1Twotrue'],
    ['toJSON(map)', '{\n  "a": 1\n}'],
    ['toJSON(empty)', '[]'],
    ["toJSON('a\"b')", '"a\\"b"'],
    ['ToJson(null)', 'null'],
    ["fromJSON('true')", true],
    ['fromJSON(needs.resolve.outputs.matrix).include[0].stack', 'a'],
    ["CONTAINS('a', 'A')", true],
  ],
}

for (const [name, table] of Object.entries(rows))
  t.test(name, (t) => {
    for (const [expression, expected] of table) t.same(value(expression), expected, expression)
    t.end()
  })

t.test('a text with expressions in it becomes text', (t) => {
  const table = [
    ['plain', 'plain'],
    ['svc-${{ github.event.number }}', 'svc-7'],
    ['${{ matrix.stack }}/${{ env.EMPTY }}!', 'aws/prod/!'],
    ['${{ null }}', ''],
    ['a${{ list }}b${{ map }}', 'aArraybObject'],
    ['${{ 1.50 }}', '1.5'],
    ['${{ 1e15 }} ${{ 123456789012345 }} ${{ 0.000001 }}', '1E+15 123456789012345 1E-06'],
    ['}} ${{ true }} {{', '}} true {{'],
    ["${{ '${{ inner }}' }}", '${{ inner }}'],
  ] as const
  for (const [text, expected] of table) t.equal(fillText(text, { contexts }), expected, text)
  t.end()
})

t.test('a text that is not an expression is refused with the reason', (t) => {
  const table = [
    ['a b', /unexpected text at position 3/],
    ["'open", /closing/],
    ['"double"', /single quotes/],
    ['1 +', /unexpected '\+'/],
    ['(1', /expected '\)' at the end/],
    ['a.', /expected a property name at the end/],
    ['a.1', /unexpected '1'|expected a property name/],
    ['a[', /expected a value at the end/],
    ['a[1', /expected '\]'/],
    ['== 1', /expected a value at position 1/],
    ['a ==', /expected a value at the end/],
    ['list.*.name', /object filters/],
    ['f(1,', /expected a value at the end/],
    ['a = b', /unexpected '= b'/],
    ['', /expected a value at the end/],
    ['a &', /unexpected '&'/],
    ['1.2.3', /unexpected/],
    ['nothing()', /unknown function/],
    ["fromJSON('{')", /is not JSON/],
    ["fromJSON('')", /is not JSON/],
    ["format('{0')", /lone brace/],
    ["format('{1}', 'a')", /refers to \{1\}, given 1/],
  ] as const
  for (const [expression, message] of table) t.throws(() => value(expression), { message }, expression)
  t.throws(() => fillText('a ${{ 1', { contexts }), { message: /closing/ })
  t.end()
})

const status = (of: 'success' | 'failure' | 'cancelled') => ({
  success: of === 'success',
  failure: of === 'failure',
  cancelled: of === 'cancelled',
  always: true,
})

t.test('an if without a status function requires success', (t) => {
  const table = [
    // condition                                   after success, after failure, when cancelled
    [undefined, true, false, false],
    ['', true, false, false],
    ['true', true, false, false],
    ['github.event.number == 7', true, false, false],
    ['${{ github.event.number == 8 }}', false, false, false],
    ['success()', true, false, false],
    ['failure()', false, true, false],
    ['${{ always() }}', true, true, true],
    ['cancelled()', false, false, true],
    ['!cancelled()', true, true, false],
    ['ALWAYS() && env.EMPTY', false, false, false],
    ["failure() && matrix.stack == 'aws/prod'", false, true, false],
    ["always() && needs.resolve.result == 'success'", true, true, true],
    ["contains(fromJSON('[1]'), 1) || failure()", true, true, true],
  ] as const
  for (const [condition, ...expected] of table)
    for (const [index, of] of (['success', 'failure', 'cancelled'] as const).entries())
      t.equal(holds(condition, { contexts, status: status(of) }), expected[index], `${condition} after ${of}`)
  t.throws(() => holds('${{ true }} && false', { contexts, status: status('success') }), { message: /always true/ })
  t.end()
})
