import t from 'tap'
import { readWithin } from '#domain/texts/read-texts.ts'

const cases: [title: string, sizes: [name: string, rank: number, bytes: number][], most: number, read: string][] = [
  [
    'everything where it fits',
    [
      ['a', 2, 40],
      ['b', 0, 40],
    ],
    80,
    'a b',
  ],
  [
    'first what matters most, however large',
    [
      ['small', 2, 10],
      ['failed', 0, 90],
    ],
    95,
    'failed',
  ],
  [
    'then as many as possible',
    [
      ['large', 2, 60],
      ['b', 2, 30],
      ['c', 2, 30],
    ],
    80,
    'b c',
  ],
  [
    'what has room after one that has none',
    [
      ['huge', 0, 500],
      ['b', 2, 30],
    ],
    80,
    'b',
  ],
  ['nothing of nothing', [], 80, ''],
]

for (const [title, sizes, most, read] of cases)
  t.test(`of more texts than can be read: ${title}`, async (t) => {
    const chosen = readWithin(
      sizes.map(([name, rank, bytes]) => ({ name, rank, bytes })),
      most,
    )
    t.equal(
      [...chosen]
        .map(({ name }) => name)
        .sort()
        .join(' '),
      read,
    )
  })
