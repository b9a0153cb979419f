import t from 'tap'
import { barsOf, checksInWords, runsInWords, stripOf } from '../../../ui/stack/bars.ts'

const run = (id: string, seconds: number | undefined, status: 'applied' | 'failed' | 'planned') => ({
  ...{ run_id: id, sha: 'a'.repeat(40), mode: 'apply' as const, status },
  ...(seconds === undefined
    ? {}
    : {
        started_at: '2026-01-01T00:00:00.000Z',
        finished_at: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
      }),
})

const runs = [run('c', undefined, 'planned'), run('b', 100, 'failed'), run('a', 50, 'applied')]

t.test('bars go from the oldest to the newest, and are as high as a run took long', async (t) => {
  t.same(
    barsOf(runs).map(({ id, height, tone }) => [id, height, tone]),
    [
      ['a', 0.5, 'applied'],
      ['b', 1, 'failed'],
      ['c', 0.12, 'planned'],
    ],
  )
  t.same(barsOf([]), [])
})

t.test('what the bars show is said in words', async (t) => {
  t.equal(
    runsInWords(runs),
    '3 runs: 1 planned, 1 failed, 1 applied. Half of them took up to 50 s, the longest 1 min 40 s.',
  )
  t.equal(runsInWords([run('c', undefined, 'planned')]), '1 run: 1 planned.')
})

const check = (drifted?: boolean) => ({
  ...{ run_id: 'r', checked_at: '2026-01-01T00:00:00Z', status: 'noop' as const },
  ...(drifted === undefined ? {} : { drifted }),
})

t.test('drift is the highest of the strip, and no two findings are of one height and colour', async (t) => {
  const strip = stripOf([check(true), check(false), check()])
  t.equal(strip.at(-1)?.height, 1, 'the newest is at the right')
  t.equal(new Set(strip.map(({ height }) => height)).size, 3)
  t.equal(new Set(strip.map(({ tone }) => tone)).size, 3)
  t.equal(
    checksInWords([check(true), check(false), check()]),
    '1 check found drift, 1 found none, 1 found out nothing.',
  )
  t.equal(checksInWords([check(false)]), '0 checks found drift, 1 found none.')
})
