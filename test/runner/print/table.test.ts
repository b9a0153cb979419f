import t from 'tap'
import { printTable } from '#runner/print/table.ts'
import { measured } from '#test/helpers/pace.ts'

t.test('rows stand in columns, and what follows a very long cell is out of its column', (t) => {
  const long = 'x'.repeat(300)
  t.equal(
    printTable([
      ['key', 'status'],
      ['a', 'planned'],
      ['network', ''],
    ]),
    'key      status\na        planned\nnetwork\n',
  )
  const [head = '', short = '', wide = ''] = printTable([
    ['key', 'status'],
    ['a', 'planned'],
    [long, 'failed'],
  ]).split('\n')
  t.equal(head, `key${' '.repeat(197)}  status`)
  t.equal(short, `a${' '.repeat(199)}  planned`)
  t.equal(wide, `${long}  failed`)
  t.equal(
    printTable([
      ['\u001b[31m', 'é😀'],
      ['a', 'b'],
    ]),
    '\ufffd[31m  é😀\na      b\n',
    'a terminal obeys nothing',
  )
  t.end()
})

t.test('one long cell among many rows is printed in linear time', (t) => {
  const rows = [['x'.repeat(100_000)], ...Array.from({ length: 100_000 }, () => ['a'])]
  const { ms } = measured(() => printTable(rows))
  t.ok(ms < 1000, `${Math.round(ms)} ms`)
  t.end()
})
