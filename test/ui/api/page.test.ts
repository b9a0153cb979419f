import t from 'tap'
import { type Part, readUpTo } from '../../../ui/api/page.ts'

/** A list of so many numbers, of whose pages some rows were taken out. */
const listOf = (count: number, isSeen: (row: number) => boolean = () => true) => {
  const parts: Part[] = []
  return {
    parts,
    read: async (part: Part) => {
      parts.push(part)
      const from = Number(part.cursor ?? 0)
      const to = Math.min(count, from + part.limit)
      const items = Array.from({ length: to - from }, (_, at) => from + at).filter(isSeen)
      return { items, ...(to < count ? { next_cursor: String(to) } : {}) }
    },
  }
}

t.test('as many rows as are wanted are read, in pages that the API answers', async (t) => {
  const list = listOf(3000)
  const { items, next_cursor: next } = await readUpTo(list.read, 1200)
  t.equal(items.length, 1200)
  t.equal(next, '1200')
  t.same(list.parts, [{ limit: 500 }, { limit: 500, cursor: '500' }, { limit: 200, cursor: '1000' }])
  t.equal((await readUpTo(listOf(3).read, 50)).next_cursor, undefined)
})

t.test('what is there so far is told before more is asked for', async (t) => {
  const told: number[] = []
  const hear = ({ items }: { items: unknown[] }): void => void told.push(items.length)
  await readUpTo(listOf(1200).read, 5000, hear)
  t.same(told, [500, 1000])
  await readUpTo(listOf(3).read, 5000, hear)
  t.same(told, [500, 1000], 'one page is all: nothing before it')
})

t.test('pages with few rows are read on, but not for ever', async (t) => {
  t.equal((await readUpTo(listOf(1000, (row) => row % 2 === 0).read, 50)).items.length, 50, 'every second row is seen')
  const list = listOf(1_000_000, () => false)
  t.match(await readUpTo(list.read, 50), { items: [], next_cursor: /^\d+$/ })
  t.ok(list.parts.length <= 5, `${list.parts.length} questions`)
})
