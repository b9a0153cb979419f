import t from 'tap'
import { moved } from '../../../ui/table/moves.ts'
import { nextSort, sorted } from '../../../ui/table/sort.ts'
import { drawnRows } from '../../../ui/table/window.ts'

t.test('what is in view is drawn, with some rows to spare', async (t) => {
  const seen = (top: number, count = 5000) => drawnRows({ top, height: 800, row: 32 }, count)
  t.same(seen(200), { from: 0, to: 27 })
  t.same(seen(-3200), { from: 92, to: 133 })
  t.same(seen(-32 * 5000 + 400), { from: 4979, to: 5000 })
  t.same(seen(9999), { from: 0, to: 0 }, 'below the window')
  t.same(seen(-999_999), { from: 5000, to: 5000 }, 'above it')
  t.same(seen(200, 3), { from: 0, to: 3 })
})

t.test('a head sorts by its column, the other way round, and no more', async (t) => {
  t.equal(nextSort(undefined, 'key'), 'key')
  t.equal(nextSort('key', 'key'), '-key')
  t.equal(nextSort('-key', 'key'), undefined)
  t.equal(nextSort('-key', 'age'), 'age')
})

t.test('sorting counts in names, keeps what is equal in order, and has what is not known last', async (t) => {
  const rows = ['stack-10', 'stack-9', undefined, 'Stack-1'].map((name, at) => ({ name, at }))
  const names = (down: boolean) => sorted(rows, ({ name }) => name, down).map(({ name }) => name)
  t.same(names(false), ['Stack-1', 'stack-9', 'stack-10', undefined])
  t.same(names(true), ['stack-10', 'stack-9', 'Stack-1', undefined])
  const same = [3, 1, 2].map((at) => ({ at }))
  t.same(
    sorted(same, () => 1, true).map(({ at }) => at),
    [3, 1, 2],
  )
  t.equal(rows[0]?.name, 'stack-10', 'the rows themselves stay as they were')
})

t.test('keys move between rows and never out of them', async (t) => {
  const cases = [
    ['ArrowDown', 3, 4],
    ['j', 9, 9],
    ['k', 0, 0],
    ['PageDown', 2, 7],
    ['PageUp', 2, 0],
    ['Home', 5, 0],
    ['End', 5, 9],
    ['x', 5, undefined],
  ] as const
  for (const [key, at, to] of cases) t.equal(moved(key, at, 10, 5), to, key)
  t.equal(moved('ArrowDown', 0, 0, 5), undefined, 'of no rows')
})
