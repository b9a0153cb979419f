import t from 'tap'
import { knownFrom, withoutNew } from '../../../ui/live/new-rows.ts'

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

/** What a list shows and holds back as its rows come to be others, one answer after the other. */
const looked = (answers: number[][]) => {
  let known: ReadonlySet<number | string> | undefined
  return answers.map((rows) => {
    known = knownFrom(rows, (row) => row, known)
    const { shown, fresh } = withoutNew(rows, (row) => row, known)
    return [shown.length, fresh]
  })
}

t.test('a list that was empty, or that is another one, holds back what comes after its first rows', async (t) => {
  const rowsOf = looked([[], [1], [2, 1], [], [3, 2, 1]])
  t.same(
    rowsOf,
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [1, 2],
    ],
    'empty at first',
  )
  t.same(
    looked([
      [3, 2, 1],
      [9, 8],
      [10, 9, 8],
    ]),
    [
      [3, 0],
      [2, 0],
      [2, 1],
    ],
    'after a night, another one',
  )
})

t.test('so many are held back and no more: then the list begins anew', async (t) => {
  const downFrom = (top: number): number[] => Array.from({ length: 500 }, (_, at) => top - at)
  t.same(looked([downFrom(50), downFrom(500), downFrom(501), downFrom(502)]), [
    [500, 0],
    [50, 450],
    [500, 0],
    [499, 1],
  ])
})
