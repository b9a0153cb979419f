import t from 'tap'
import { withoutNew } from '../../../ui/live/new-rows.ts'

const split = (rows: number[], known?: number[]) => withoutNew(rows, (row) => row, known && new Set(known))

t.test('what came on top since somebody looked is held back, and nothing else is', async (t) => {
  t.same(split([3, 2, 1]), { shown: [3, 2, 1], fresh: 0 }, 'the first time')
  t.same(split([3, 2, 1], [3, 2, 1]), { shown: [3, 2, 1], fresh: 0 })
  t.same(split([5, 4, 3, 2, 1], [3, 2, 1]), { shown: [3, 2, 1], fresh: 2 })
  t.same(split([3, 2, 1, 0], [3, 2, 1]), { shown: [3, 2, 1, 0], fresh: 0 }, 'older ones are shown')
  t.same(split([4, 2, 1], [3, 2, 1]), { shown: [2, 1], fresh: 1 }, 'though the newest of then is gone')
  t.same(split([9, 8], [3, 2, 1]), { shown: [9, 8], fresh: 0 }, 'another list is shown as it is')
  t.same(split([], [3]), { shown: [], fresh: 0 })
})
