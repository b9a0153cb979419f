import t from 'tap'
import type { RunRow } from '../../../../ui/api/run-types.ts'
import { cardNote, firstReason } from '../../../../ui/run/board/card-words.ts'
import { waveHead } from '../../../../ui/run/board/wave-words.ts'
import { tallyOf } from '../../../../ui/run/state/tally.ts'
import { phase, row, rowsOf } from '../rows.ts'

const [from, to] = ['2026-11-22T12:41:00Z', '2026-11-22T12:42:12Z']

t.test('a card says what its stack waits for', async (t) => {
  const says = (more: Partial<RunRow>, of = phase()) => cardNote(row('a', more), of)
  t.same(says({ wave: 1 }), { words: 'waits for its job' })
  t.same(says({ wave: 2 }), { words: 'waits for wave 2' }, 'waves are counted from 1 for people')
  t.same(says({ wave: 2 }, phase({ drains: 'failure' })), { words: 'will be skipped' })
  t.same(says({ wave: 1 }, phase({ drains: 'failure' })), { words: 'waits for its job' }, 'its own wave goes on')
  t.same(
    says({ wave: 2 }, phase({ mode: 'plan', wave: undefined })),
    { words: 'waits for its job' },
    'plans take no turns',
  )
  t.same(says({}, phase({ isOver: true, wave: undefined })), { words: 'never began' })
})

t.test('and what kept it from running, or how long it took', async (t) => {
  const says = (more: Partial<RunRow>) => cardNote(row('a', more), phase())
  t.same(says({ status: 'blocked', blocked_by: ['data/db'] }), { words: 'by data/db' })
  t.same(says({ status: 'blocked', blocked_by: ['a', 'b', 'c'] }), { words: 'by a and 2 more' })
  t.same(says({ status: 'blocked' }), { words: 'by a failed stack' })
  t.same(says({ status: 'unknown', unknown_reason: 'workflow_finished' }), { words: 'job gone' })
  t.same(says({ status: 'unknown', unknown_reason: 'not_picked_up' }), { words: 'never picked up' })
  t.same(says({ status: 'unknown', unknown_reason: 'not_reported' }), { words: 'never reported' })
  t.same(says({ status: 'unknown', unknown_reason: 'dispatch_refused' }), { words: 'was not sent' })
  t.same(says({ status: 'applying' }), { words: 'its job was sent' })
  t.same(says({ status: 'applying', started_at: from }), { from })
  t.same(says({ status: 'failed', started_at: from, finished_at: to }), { from, to })
  t.equal(says({ status: 'noop', finished_at: to }), undefined, 'what is not known is not said')
})

t.test('the first reason is said in words', async (t) => {
  t.equal(firstReason(row('a', { reasons: ['reads_state', 'dependent'] })), 'reads state')
  t.equal(firstReason(row('a')), undefined)
})

t.test('the head of a wave says how far it is', async (t) => {
  const says = (of: ReturnType<typeof phase>, ...rows: RunRow[]) => {
    const [wave] = tallyOf(rowsOf(...rows)).waves
    return wave && waveHead(wave, of)
  }
  const done = { status: 'applied', started_at: from, finished_at: to } as const
  t.match(says(phase(), row('a', done), row('b', done)), {
    isNow: false,
    says: 'done · 1 min 12 s',
    look: { word: 'applied' },
  })
  const half = [row('a', { ...done, wave: 1 }), row('b', { wave: 1, status: 'applying' })]
  t.match(says(phase(), ...half), { isNow: true, says: '1 of 2 still running', look: { word: 'applying' } })
  t.match(says(phase(), row('a', { wave: 1 })), { says: '1 of 1 to begin', look: { word: 'pending' } })
  t.match(says(phase(), row('a', { wave: 2 })), { isNow: false, says: 'waits for wave 2' })
  const blocked = row('a', { wave: 2, status: 'blocked' })
  t.match(says(phase({ drains: 'failure' }), blocked), { says: 'does not start', look: { word: 'blocked' } })
  const over = phase({ isOver: true, wave: undefined })
  t.match(says(over, row('a', { ...done, status: 'failed' }), row('b', done)), {
    says: '1 failed',
    look: { word: 'failed' },
  })
  t.match(says(over, blocked, row('b', { wave: 2, status: 'skipped' })), { says: 'did not start' })
  const plan = phase({ mode: 'plan', wave: undefined })
  t.match(says(plan, row('a', { status: 'planning' }), row('b', { wave: 0 })), {
    isNow: false,
    says: '2 of 2 still running',
  })
  const drift = phase({ mode: 'drift', wave: undefined, isOver: true })
  t.match(says(drift, row('a', { status: 'planned' })), { says: 'done', look: { word: 'drifted' } })
})
