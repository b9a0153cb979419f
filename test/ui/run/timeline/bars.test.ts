import t from 'tap'
import { axisOf, placeOf, ticksOf } from '../../../../ui/run/timeline/axis.ts'
import { barsOf, deadlinesOf, marksOf, timesOf } from '../../../../ui/run/timeline/bars.ts'
import { lanesOf } from '../../../../ui/run/timeline/lanes.ts'
import { recorded, rows } from './recorded.ts'

const { run, dispatches, timeline } = recorded
const bars = barsOf(run, rows, dispatches)
const barOf = (key: string) => bars.find((bar) => bar.key === key)
const [first] = dispatches
const minute = 60_000
if (!first) throw new Error('nothing was dispatched')

t.test('a stack is queued until a workflow run picks it up, and its job goes on until it reports', async (t) => {
  const row = rows.find(({ key }) => key === 'platform/network')
  const bar = barOf('platform/network')
  const [started, bound, ended] = [row?.started_at, first.bound_at, row?.finished_at].map((at) => Date.parse(at ?? ''))
  t.same(bar?.queued, { from: started, to: bound })
  t.same(bar?.job, { from: bound, to: ended })
})

t.test('what became of each stack', async (t) => {
  t.match(barOf('data/database')?.note, /^failed after \d+ s$/)
  t.match(barOf('data/cache')?.note, /^unknown after \d+ s$/)
  const blocked = barOf('apps/storefront')
  t.equal(blocked?.note, 'blocked by data/database')
  t.same([blocked?.queued, blocked?.job], [undefined, undefined])
})

t.test('a stack that nobody picked up was only ever queued', async (t) => {
  const [bar] = barsOf(run, rows, [{ ...first, bound_at: undefined, state: 'lost' }])
  t.ok(bar?.queued?.to !== undefined && bar.job === undefined)
})

t.test('while the run moves, what waits says for what', async (t) => {
  const open = { ...run, finished_at: undefined }
  const [row] = rows
  if (!row) throw new Error('no rows')
  const waiting = { ...row, status: 'pending', wave: 2, started_at: undefined, finished_at: undefined } as const
  const note = (others: typeof rows) => barsOf(open, [...others, waiting], []).at(-1)?.note
  t.equal(note([]), 'waits for wave 2')
  t.equal(note([{ ...row, status: 'failed' }]), 'will be skipped')
})

t.test('without a dispatch, as in the plan of a pull request, all of it is its job', async (t) => {
  const [row] = rows
  const [bar] = barsOf({ ...run, mode: 'plan' }, row ? [{ ...row, dispatch_id: undefined }] : [], [])
  t.equal(bar?.queued, undefined)
  t.equal(bar?.job?.from, Date.parse(row?.started_at ?? ''))
})

t.test('a dispatch has its moments; each refusal is one', async (t) => {
  t.same(
    marksOf(first, []).map(({ is }) => is),
    ['sent', 'bound', 'completed'],
  )
  const refusedAt = Date.parse(first.created_at)
  t.same(
    marksOf({ ...first, state: 'refused', sent_at: undefined, bound_at: undefined, ended_at: undefined }, [
      refusedAt,
    ]).map(({ is }) => is),
    ['refused'],
  )
})

t.test('only dispatches that are still open have deadlines', async (t) => {
  t.same(deadlinesOf(dispatches), [])
  const due_at = '2026-11-22T20:21:00.000Z'
  const timers = [{ name: 'pickup', event: 'runner.lost', due_at }]
  t.same(
    deadlinesOf([{ ...first, timers }]).map(({ at, words }) => [at, words]),
    [[Date.parse(due_at), 'given up']],
  )
})

t.test('lanes go wave by wave, dispatches before their stacks', async (t) => {
  const lanes = lanesOf(run, bars, dispatches, timeline).map((lane) => {
    if (lane.is === 'wave') return lane.words
    return lane.is === 'stack' ? lane.bar.key : `dispatch ${lane.dispatch.wave}`
  })
  t.same(lanes, [
    ...['Wave 1 · done, 1 stack', 'dispatch 0', 'platform/network'],
    ...['Wave 2 · done, 2 stacks', 'dispatch 1', 'data/cache', 'data/database'],
    ...['Wave 3 · did not start', 'apps/storefront'],
  ])
})

t.test('a wave that is still to come says whether it will', async (t) => {
  const open = { ...run, finished_at: undefined }
  const coming = bars.map((bar) => (bar.wave === 2 ? ({ ...bar, status: 'pending' } as const) : bar))
  const words = (some: typeof bars) =>
    lanesOf(open, some, [], []).flatMap((lane) => (lane.is === 'wave' ? lane.words : []))
  t.equal(words(coming).at(-1), 'Wave 3 · does not start')
  const well = coming.map((bar) => (bar.wave < 2 ? ({ ...bar, status: 'applied' } as const) : bar))
  t.equal(words(well).at(-1), 'Wave 3 · has not begun')
})

t.test('behind the last bar there is room for what became of it', async (t) => {
  const times = [{ from: 0, to: 40 * minute }]
  const ends = [axisOf(times, undefined), axisOf(times, 40 * minute), axisOf(times, 40 * minute, [90 * minute])]
  for (const axis of ends) t.ok(placeOf(axis, 40 * minute) <= 0.86)
})

t.test('the axis goes from the first to the last', async (t) => {
  const axis = axisOf(timesOf(bars, dispatches, 0), undefined)
  t.equal(axis.pieces.length, 1)
  // to a thousandth of a pixel
  const place = (at: number): number => Math.round(placeOf(axis, at) * 1e6) / 1e6
  t.same([axis.from, axis.to, axis.from - 5000, axis.to + 5000].map(place), [0, 1, 0, 1])
})

t.test('time in which nothing moves is folded when it is more than a minute', async (t) => {
  const axis = axisOf(
    [
      { from: 0, to: 2 * minute },
      { from: minute, to: 2.5 * minute },
      { from: 3 * minute, to: 4 * minute },
      { from: 60 * minute, to: 62 * minute },
    ],
    undefined,
  )
  t.same(
    axis.pieces.map(({ is, from, to }) => [is, from / minute, to / minute]),
    [
      ['busy', 0, 4],
      ['idle', 4, 60],
      ['busy', 60, 63.2],
    ],
  )
  const [one, idle, two] = axis.pieces
  t.ok(idle && idle.width < 0.05)
  t.ok(one && two && Math.abs(one.width / 4 - two.width / 3.2) < 1e-9, 'what is not folded is to scale')
  const last = axis.pieces.at(-1)
  t.ok(last && Math.abs(last.left + last.width - 1) < 1e-9)
})

t.test('while it moves there is room ahead, and deadlines have a stretch of their own', async (t) => {
  const spans = [{ from: 0, to: 10 * minute }]
  const axis = axisOf(spans, 10 * minute)
  const place = placeOf(axis, 10 * minute)
  t.ok(place > 0.7 && place < 0.86)
  t.same(axisOf(spans, 10 * minute + 1000).to, axis.to, 'a second later nothing has moved')
  const due = axisOf(spans, 10 * minute, [40 * minute])
  t.equal(due.pieces.at(-1)?.is, 'ahead')
  t.ok(placeOf(due, 40 * minute) > 0.999)
  t.ok(placeOf(due, 10 * minute) > 0.6)
})

t.test('ticks are at round moments and apart from each other', async (t) => {
  const axis = axisOf([{ from: 7000, to: 4 * minute + 7000 }], undefined)
  const ticks = ticksOf(axis, 0.12)
  t.ok(ticks.length >= 3)
  for (const [at, tick] of ticks.entries()) {
    t.equal(tick.at % tick.step, 0)
    const before = ticks[at - 1]
    if (before) t.ok(tick.left - before.left >= 0.12)
  }
  t.same(ticksOf(axisOf([], undefined), 0.1), [])
})
