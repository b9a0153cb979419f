import t from 'tap'
import { newId } from '#ids.ts'

t.test('ids are in the order in which they were made, within a millisecond too', async (t) => {
  const ids = Array.from({ length: 10_000 }, newId)
  t.same(ids.toSorted(), ids)
  t.equal(new Set(ids).size, ids.length)
  t.match(ids[0], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
