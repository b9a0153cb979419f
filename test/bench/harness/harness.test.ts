import t from 'tap'
import { type Measurement, measure } from './measure.ts'
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

  t.same(reportOf('x', 'ms', new Map([['', measured]])), {
    name: 'x',
    unit: 'ms',
    medians: { ours: 2.5, theirs: 25 },
    ratios: { theirs: 0.1 },
  })
  t.same(reportOf('x', 'ms', new Map([['one run', measured]])).ratios, { 'one run/theirs': 0.1 })
  t.match(tableOf('ms', new Map([['', measured]])), /ours \(ours\) +2\.5 +1–5 *.*\ntheirs +25 +10–40 +0\.1$/)
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
