import t from 'tap'
import { parseAssignments } from '#emulator/actions/command-files.ts'

t.test('the files a step writes to have two forms', (t) => {
  const table = [
    ['', {}],
    ['a=1\nb=\n', { a: '1', b: '' }],
    ['a=x=y<<z', { a: 'x=y<<z' }],
    ['a<<E=1\nx\nE=1\n', { a: 'x' }],
    ['a<<END\n1\n\n2\nEND\nb=3\r\n', { a: '1\n\n2', b: '3' }],
    ['a<<END\nEND', { a: '' }],
    ['a=1\na=2', { a: '2' }],
    ['__proto__=x', Object.fromEntries([['__proto__', 'x']])],
  ] as const
  for (const [text, expected] of table) t.same(parseAssignments(text), expected, JSON.stringify(text))
  for (const text of ['a', '=1', 'a<<END\nb', 'a<<', '<<E\nE']) t.throws(() => parseAssignments(text), text)
  t.end()
})
