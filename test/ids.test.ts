import t from 'tap'
import { newId, withIds } from '#ids.ts'

t.test('ids are in the order in which they were made, within a millisecond too', async (t) => {
  const ids = Array.from({ length: 10_000 }, newId)
  t.same(ids.toSorted(), ids)
  t.equal(new Set(ids).size, ids.length)
  t.match(ids[0], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

t.test('rows get ids in their order too', async (t) => {
  const rows = withIds(Array.from({ length: 10_000 }, (_, index) => ({ index })))
  t.same(
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ index }) => index),
    [...rows.keys()],
  )
  t.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const { id } of rows.slice(0, 100))
    t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.same(withIds([]), [])
})
