import t from 'tap'
import { merged } from '../../../ui/live/changes.ts'
import { row, rowsOf } from '../run/rows.ts'

const [a, b] = [row('a'), row('b')]

t.test('an answer with a since adds and replaces rows, and one without says which there are', async (t) => {
  const failed = row('b', { status: 'failed' })
  const known = rowsOf(a, b)
  const part = merged(known, { since: 4, stacks: [failed] })
  t.same([...part.rows.values()], [a, failed])
  t.same(part.changes, [{ before: b, after: failed }])
  t.same(part.gone, [])
  const whole = merged(known, { stacks: [failed] })
  t.same([...whole.rows.keys()], ['b'], 'rows of an earlier graph go')
  t.same(whole.gone, ['a'])
})

t.test('what is as it was stays the very same object, and so does everything where nothing changed', async (t) => {
  const known = rowsOf(a, b)
  t.equal(merged(known, { since: 4 }).rows, known, 'no rows at all')
  t.equal(merged(known, { stacks: [row('a'), row('b')] }).rows, known, 'all of them again')
  const { rows } = merged(known, { stacks: [row('a'), row('b', { status: 'planned' })] })
  t.equal(rows.get('a'), a)
})

t.test('rows are in the order of waves and keys, whichever came first', async (t) => {
  const { rows } = merged(rowsOf(b), { since: 1, stacks: [row('c', { wave: 0 }), row('a', { wave: 1 })] })
  t.same([...rows.keys()], ['b', 'c', 'a'])
  const moved = merged(rows, { since: 2, stacks: [row('b', { wave: 2 })] })
  t.same([...moved.rows.keys()], ['c', 'a', 'b'])
})
