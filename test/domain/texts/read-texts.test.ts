import t from 'tap'
import { readWithin } from '#domain/texts/read-texts.ts'

/** Each with its rank and its bytes. */
const cases: [title: string, sizes: string, most: number, read: string][] = [
  ['everything where it fits', 'a 2 40, b 0 40', 80, 'a b'],
  ['first what matters most, however large', 'small 2 10, failed 0 90', 95, 'failed'],
  ['then as many as possible', 'large 2 60, b 2 30, c 2 30', 80, 'b c'],
  ['what has room after one that has none', 'huge 0 500, b 2 30', 80, 'b'],
  ['nothing of nothing', '', 80, ''],
]

const sizesOf = (text: string) =>
  text.split(', ').flatMap((size) => {
    const [name = '', rank, bytes] = size.split(' ')
    return name === '' ? [] : [{ name, rank: Number(rank), bytes: Number(bytes) }]
  })

for (const [title, sizes, most, read] of cases)
  t.test(`of more texts than can be read: ${title}`, async (t) => {
    const names = [...readWithin(sizesOf(sizes), most)].map(({ name }) => name)
    t.equal(names.sort().join(' '), read)
  })
