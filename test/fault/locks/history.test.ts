import t from 'tap'
import { acquisitions, brokenHistory, type LockEntry, overlappingWork, type Work } from './history.ts'

type Told = [event: LockEntry['event'], to: string]

const at = (second: number): Date => new Date(1_800_000_000_000 + second * 1000)

/** The rows of a lock's journal, one a second. */
const rows = (...told: Told[]): LockEntry[] => {
  const all: Told[] = [[{ type: 'created' }, 'free'], ...told]
  return all.map(([event, to], seq) => ({
    ...{ lock: 'net', seq, entry: 10 + seq, at: at(seq), event, to },
    from: all[seq - 1]?.[1] ?? null,
  }))
}

const taken = (run_id: string, pr_number?: number): Told => [
  { type: 'lock.requested', run_id, pr_number },
  pr_number === undefined ? 'held.manual' : 'held.claimed',
]
const settled = (run_id: string, fence: number, to = 'free'): Told => [{ type: 'stack.settled', run_id, fence }, to]
const unlocked: Told = [{ type: 'release.requested', actor: 'ada' }, 'free']
const closed = (pr_number: number): Told => [{ type: 'pull_request.closed', pr_number }, 'free']

t.test('histories in which one holds it at a time are right', async (t) => {
  const cases: [name: string, entries: LockEntry[], count: number][] = [
    ['a run takes it and gives it back', rows(taken('one'), settled('one', 1)), 1],
    ['another takes it then', rows(taken('one'), settled('one', 1), taken('two'), settled('two', 2)), 2],
    ['a person releases it, and another takes it', rows(taken('one'), unlocked, taken('two')), 2],
    ['its pull request is closed', rows(taken('one', 7), closed(7), taken('two', 8)), 2],
    ['the same pull request takes it again', rows(taken('one', 7), taken('two', 7), closed(7)), 2],
    ['the same run asks twice', rows(taken('one', 7), taken('one', 7), closed(7)), 1],
    ['its run ends without having begun', rows(taken('one'), [{ type: 'run.finished', run_id: 'one' }, 'free']), 1],
    [
      'news of one from before a release',
      rows(taken('one', 7), unlocked, taken('two', 8), settled('one', 1, 'held.claimed')),
      2,
    ],
  ]
  for (const [name, entries, count] of cases) {
    t.same(brokenHistory(entries), [], name)
    t.equal(acquisitions(entries), count, name)
  }
})

t.test('histories that must be refused are', async (t) => {
  const one = rows(taken('one'), settled('one', 1))
  const cases: [name: string, entries: LockEntry[], wrong: RegExp][] = [
    ['two holders', rows(taken('one'), taken('two')), /taken by two, while one holds it/],
    ['two pull requests', rows(taken('one', 7), taken('two', 8)), /taken by two, while one holds it/],
    ['a manual run beside a pull request', rows(taken('one', 7), taken('two')), /taken by two/],
    ['a pull request beside a manual run', rows(taken('one'), taken('two', 7)), /taken by two/],
    ['a release by another run', rows(taken('one'), settled('two', 1)), /given back by two, while one holds it/],
    ['a release for another pull request', rows(taken('one', 7), closed(8)), /given back for #8/],
    ['a release by nobody', rows(taken('one'), [{ type: 'release.requested' }, 'free']), /released by nobody/],
    ['a number that goes back', rows(taken('one'), unlocked, taken('one'), settled('one', 1)), /holds it by 2/],
    ['a number of another', rows(taken('one'), unlocked, taken('two'), settled('two', 1)), /which is that of one/],
    ['a number that nobody has', rows(taken('one'), settled('one', 2)), /which is that of nobody/],
    ['a missing row', one.filter(({ seq }) => seq !== 1), /a row is missing/],
    [
      'rows that were written in another order',
      one.map((row) => ({ ...row, entry: -row.seq })),
      /before its predecessor/,
    ],
    [
      'a state from nowhere',
      one.map((row) => (row.seq === 2 ? { ...row, from: 'held.merged' } : row)),
      /it is held.merged after/,
    ],
  ]
  for (const [name, entries, wrong] of cases) t.match(brokenHistory(entries).join('\n'), wrong, name)
})

t.test('a lock is not given back while its run is at work, unless a person releases it', async (t) => {
  const work: Work[] = [{ lock: 'net', run: 'one', begun: at(1) }]
  t.match(brokenHistory(rows(taken('one'), settled('one', 1)), work).join(), /given back while one is at work/)
  t.same(brokenHistory(rows(taken('one'), settled('one', 1)), [{ ...work[0]!, ended: at(2) }]), [])
  t.same(brokenHistory(rows(taken('one'), unlocked), work), [])
})

t.test('two runs are not at work on a stack at the same time', async (t) => {
  const works = (...spans: [run: string, begun: number, ended?: number][]): Work[] =>
    spans.map(([run, begun, ended]) => ({
      ...{ lock: 'net', run, begun: at(begun), ended: ended === undefined ? undefined : at(ended) },
    }))
  const none = rows(taken('one'))
  t.same(overlappingWork(none, works(['one', 1, 2], ['two', 2, 3])), [])
  t.match(overlappingWork(none, works(['one', 1, 3], ['two', 2, 4])).join(), /one and two are at work/)
  t.match(overlappingWork(none, works(['one', 1], ['two', 2])).join(), /one and two/)
  t.same(overlappingWork(rows(taken('one'), unlocked), works(['one', 1], ['two', 3])), [], 'after a release')
  t.match(overlappingWork(rows(taken('one'), unlocked), works(['one', 3], ['two', 4])).join(), /one and two/)
})
