import t from 'tap'
import { brokenStatuses as brokenOfDomain, openStatuses as openOfDomain } from '#domain/run-status.ts'
import { changeSentence } from '../../../../ui/run/state/change-words.ts'
import { runPace } from '../../../../ui/run/state/run-pace.ts'
import { sumOf, tallyOf } from '../../../../ui/run/state/tally.ts'
import { warningsInOrder } from '../../../../ui/run/warnings/in-order.ts'
import { brokenStatuses, openStatuses } from '../../../../ui/status/phases.ts'
import { head, row, rowsOf } from '../rows.ts'

t.test('what is open and what is broken is what the service means by it', async (t) => {
  t.same([...openStatuses].sort(), [...openOfDomain].sort())
  t.same([...brokenStatuses].sort(), [...brokenOfDomain].sort())
})

t.test('stacks are counted by status and by wave', async (t) => {
  const tally = tallyOf(rowsOf(row('a', { wave: 1, status: 'failed' }), row('b'), row('c', { status: 'failed' })))
  t.same(tally.counts, { failed: 2, pending: 1 })
  t.same(
    tally.waves.map(({ wave, rows, counts }) => [wave, rows.map(({ key }) => key), counts]),
    [
      [0, ['b', 'c'], { pending: 1, failed: 1 }],
      [1, ['a'], { failed: 1 }],
    ],
  )
  t.equal(sumOf(tally.counts, ['failed', 'unknown', 'pending']), 3)
})

t.test('a run is asked for each second while it moves, and seldom once it is over', async (t) => {
  t.equal(runPace({ status: 'applying' }), 'moving')
  t.equal(runPace({ status: 'pending' }), 'waiting')
  t.equal(runPace({ status: 'failed', finished_at: '2026-11-22T12:41:00Z' }), 'over')
  t.equal(runPace({ status: 'superseded' }), 'over')
})

t.test('what changed is read out as one sentence', async (t) => {
  const shown = (status: 'applying' | 'failed' = 'applying') => ({ run: head({ status }), rows: rowsOf() })
  const change = (key: string, status: 'applied' | 'failed') => ({ before: row(key), after: row(key, { status }) })
  const says = (...changes: ReturnType<typeof change>[]) => changeSentence(changes, shown(), shown())
  t.equal(says(change('data/db', 'failed')), 'data/db: failed.')
  t.equal(
    says(change('a', 'applied'), change('b', 'failed'), change('c', 'applied')),
    '3 stacks changed: 1 failed, 2 applied.',
  )
  t.equal(says({ before: row('a'), after: row('a', { exit_code: 1 }) }), undefined, 'a status that stays is no news')
  t.equal(changeSentence([change('a', 'failed')], shown(), shown('failed')), 'Apply of #42 is failed.')
  t.equal(changeSentence([], { run: undefined, rows: rowsOf() }, shown()), undefined, 'nothing is read out on opening')
})

t.test('warnings are the newest first, those without a time last', async (t) => {
  const warning = (at?: string) => ({ code: 'x', message: at ?? 'begin', ...(at === undefined ? {} : { at }) })
  const [later, sooner] = ['2026-11-22T12:42:00Z', '2026-11-22T12:41:00Z']
  t.same(
    warningsInOrder([warning(), warning(sooner), warning(later)]).map(({ message }) => message),
    [later, sooner, 'begin'],
  )
})
