import { readFileSync } from 'node:fs'
import t from 'tap'
import { type Measurement, measure } from './measure.ts'
import { performancePage, readResults } from './performance.ts'
import { reportOf, tableOf } from './report.ts'

const quiet = () => {}

t.test('contenders take turns after a warm-up, and medians are of the runs alone', async (t) => {
  const seen: string[] = []
  const costs: Record<string, number[]> = { ours: [900, 1, 5, 3, 2], theirs: [900, 10, 30, 20, 40] }
  const contender = (name: string) => () => {
    seen.push(name)
    return costs[name]!.shift()!
  }
  const bench: Measurement = {
    ours: 'ours',
    setup: () => void seen.push('setup'),
    contenders: { ours: contender('ours'), theirs: contender('theirs') },
    teardown: () => void seen.push('teardown'),
  }
  const measured = await measure(bench, 4, quiet)
  const rounds = ['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs', 'theirs', 'ours']
  t.same(seen, ['setup', 'ours', 'theirs', ...rounds, 'teardown'])
  t.same(measured.figures.get('ours'), { median: 2.5, min: 1, max: 5 })

  const about = { name: 'x', about: 'Two of them.', unit: 'ms' }
  const report = reportOf(about, new Map([['', measured]]))
  t.same(report, {
    name: 'x',
    about: 'Two of them.',
    groups: {
      '': {
        unit: 'ms',
        contenders: { ours: { median: 2.5, min: 1, max: 5 }, theirs: { median: 25, min: 10, max: 40, ratio: 0.1 } },
      },
    },
  })
  t.match(tableOf(report), /ours \(ours\) +2\.5 +1–5 *.*\ntheirs +25 +10–40 +0\.1$/)
})

t.test('contenders that are warmed up longer take turns in that, too', async (t) => {
  const seen: string[] = []
  const contender = (name: string) => () => seen.push(name)
  const measured = await measure(
    { ours: 'a', warmUps: 3, contenders: { a: contender('a'), b: contender('b') } },
    1,
    quiet,
  )
  t.same(seen.join(''), 'abababab')
  t.same(measured.figures.get('a'), { median: 7, min: 7, max: 7 })
})

t.test('what many waited for is kept beside what a run cost', async (t) => {
  const samples = [3, 1, 2].map((cost) => ({ cost, p50: cost * 10, p99: cost * 100 }))
  const bench = { ours: 'a', unit: 's', contenders: { a: () => samples.pop() ?? { cost: 1, p50: 10, p99: 100 } } }
  const measured = await measure(bench, 3, quiet)
  t.same(measured.figures.get('a'), { median: 1, min: 1, max: 3, p50: 10, p99: 100 })
  const report = reportOf({ name: 'x', about: '', unit: 'ms' }, new Map([['g', measured]]))
  t.match(tableOf(report), /^\ng\n +median s +min–max +p50 +p99\na +1 +1–3 +10 +100$/)
})

t.test('a contender that returns no cost is an error, and teardown still runs', async (t) => {
  const torn: string[] = []
  const bench = { ours: 'a', contenders: { a: () => Number.NaN }, teardown: () => void torn.push('down') }
  await t.rejects(measure(bench, 1, quiet), {
    message: 'a must return the cost of its run as a positive number, not NaN',
  })
  t.same(torn, ['down'])
  await t.rejects(measure({ ...bench, ours: 'b' }, 1, quiet), { message: "ours is 'b', which is not among a" })
})

t.test('docs/performance.md has the results that are kept', async (t) => {
  const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
  t.equal(page, performancePage(readResults()))
})
