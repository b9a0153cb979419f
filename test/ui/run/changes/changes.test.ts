import t from 'tap'
import { changesOf, gapsOf, linesOf } from '../../../../ui/run/changes/changes.ts'
import { recorded, rows } from '../timeline/recorded.ts'

const [row] = rows
if (!row) throw new Error('no rows')
const none = { adds: 0, changes: 0, destroys: 0, replaces: 0 }
const long = { ...row, key: 'data/long', summary: { ...none, destroys: 700, destroyed: ['x.a', 'x.B'] } }

const told = (some: typeof rows, find?: string): string[] =>
  changesOf(some, find).flatMap(({ doing, total, stacks }) => [
    `${doing} ${total}`,
    ...stacks.map(
      ({ row: { key }, addresses, unlisted }) => `${key}: ${addresses.join(' ')}${unlisted ? ` +${unlisted}` : ''}`,
    ),
  ])

t.test('destroys first, then replaces, changes and adds, each by stack', async (t) => {
  const database = {
    ...row,
    key: 'data/database',
    summary: { ...none, destroys: 1, adds: 1, destroyed: ['d'], added: ['a'] },
  }
  const network = {
    ...row,
    key: 'network',
    summary: { ...none, changes: 1, replaces: 1, changed: ['c'], replaced: ['r'] },
  }
  t.same(told([network, database]), [
    ...[
      'destroy 1',
      'data/database: d',
      'replace 1',
      'network: r',
      'change 1',
      'network: c',
      'add 1',
      'data/database: a',
    ],
  ])
})

t.test('counts are whole where lists are cut', async (t) => {
  t.same(told([long]), ['destroy 700', 'data/long: x.a x.B +698'])
  t.same(
    gapsOf([long]).cut.map(({ key }) => key),
    ['data/long'],
  )
  t.equal(linesOf(changesOf([long])).length, 5)
})

t.test('an address is found in whatever case, and what is not listed is not', async (t) => {
  t.same(told([long], 'X.b'), ['destroy 1', 'data/long: x.B'])
  t.same(told([long], 'none'), [])
})

t.test('an apply as it was recorded', async (t) => {
  const some = told(recorded.run.stacks ?? [])
  t.ok(
    some.every((line) => !line.includes('+')),
    'nothing is missing',
  )
  t.same(gapsOf(rows), { untold: [], cut: [] })
})
