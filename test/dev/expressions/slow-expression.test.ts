import t from 'tap'
import { findExpressions } from '#dev/expressions/find-expressions.ts'
import { slowExpression } from '#dev/expressions/slow-expression.ts'

t.test('every expression of a file is found, with what is put in as a letter', async (t) => {
  const text = [
    "const one = /a+$/g.test('/b/')",
    "const two: RegExp = new RegExp('c*', 'i')",
    'const three = <T>(x: T) => RegExp(`$' + '{x}d$`)',
    '// /in a comment/',
  ].join('\n')
  t.same(findExpressions(text), [
    { source: 'a+$', flags: 'g', line: 1 },
    { source: 'c*', flags: 'i', line: 2 },
    { source: 'xd$', flags: '', line: 3 },
  ])
  t.throws(() => findExpressions('\nnew RegExp(given)'), /line 2: write the text/)
})

t.test('what takes more than linear time is found', async (t) => {
  const cases: [expression: RegExp, isSlow: boolean][] = [
    [/\n+$/, true],
    [/^\n+/, false],
    [/\s*\n\s*/g, true],
    [/<a [^>]*>/, true],
    [/^<a [^>]*>/, false],
    [/^(a|a)*$/, true],
    [/\n+(?=x)/, true],
    [/[a-z]/g, false],
  ]
  for (const [expression, isSlow] of cases)
    t.equal(slowExpression(expression) !== undefined, isSlow, String(expression))
})
