import t from 'tap'
import { begin, type EventOf, transit } from '#machines/index.ts'
import { after, play } from './play.ts'

type LockEvent = EventOf<'lock'>
type Outcome = 'applied' | 'noop' | 'failed' | 'unknown' | 'blocked' | 'skipped' | 'unconfirmed'

const at = '2026-03-01T12:00:00Z'
const pull = (pr_number: number, run_id = 'run-1', when = at): LockEvent => ({
  type: 'lock.requested',
  run_id,
  pr_number,
  at: when,
})
const onMerge = (run_id = 'run-1'): LockEvent => ({ type: 'lock.requested', run_id, pr_number: 7, on_merge: true, at })
const manual = (run_id = 'run-1'): LockEvent => ({ type: 'lock.requested', run_id, manual: true, at })
const changed: LockEvent = { type: 'stack.changed', run_id: 'run-1' }
const settled = (outcome: Outcome, by_result = true): LockEvent => ({
  type: 'stack.settled',
  run_id: 'run-1',
  outcome,
  by_result,
})
const finished = (outcome: Outcome | 'superseded' | 'pending'): LockEvent => ({
  type: 'run.finished',
  run_id: 'run-1',
  outcome,
})
const closed = (merged: boolean, apply_in_flight: boolean): LockEvent => ({
  type: 'pull_request.closed',
  pr_number: 7,
  merged,
  apply_in_flight,
})
const reopened: LockEvent = { type: 'pull_request.reopened', pr_number: 7 }
const release: LockEvent = { type: 'release.requested', actor: 'ada', reason: 'runner died', force_state: true }
const due: LockEvent = { type: 'reminder.due' }

const lock = (...events: LockEvent[]) => after('lock', {}, ...events)
const claimed = (...events: LockEvent[]) => lock(pull(7), ...events)
const unknown = () => claimed(changed, settled('unknown', false))

const armed = 'scheduleTimer reminder reminder.due 86400'
const disarmed = 'cancelTimer reminder'

/* taking it */
play('lock', [
  [lock(), pull(7), '', 'held.claimed', [armed]],
  [lock(), manual(), '', 'held.manual', [armed]],
  [lock(), onMerge(), 'an on-merge apply', 'held.merged', [armed]],
  [claimed(), pull(7, 'run-2'), 'same pull request', 'held.claimed', []],
  [claimed(changed), pull(7, 'run-2'), 'same pull request', 'held.changed', []],
  [claimed(closed(false, true)), pull(7, 'run-2'), 'same pull request', 'held.changed', []],
  [claimed(), onMerge('run-2'), 'same pull request, merged by now', 'held.merged', []],
  [claimed(changed), onMerge('run-2'), 'same pull request, merged by now', 'held.merged', []],
  [claimed(), pull(7), 'the same request again', 'held.claimed', []],
  [lock(manual()), manual(), 'the same request again', 'held.manual', []],

  [claimed(), pull(8, 'run-2'), 'another pull request', 'refused locked', []],
  [claimed(changed), pull(8, 'run-2'), 'another pull request', 'refused locked', []],
  [claimed(closed(false, true)), pull(8, 'run-2'), 'another pull request', 'refused locked', []],
  [lock(onMerge()), pull(8, 'run-2'), 'another pull request', 'refused locked', []],
  [lock(onMerge()), pull(7, 'run-2'), 'its own apply is still in flight', 'refused locked', []],
  [lock(manual()), pull(7, 'run-2'), 'a manual run holds it', 'refused locked', []],
  [lock(manual()), manual('run-2'), 'another run', 'refused locked', []],
  [claimed(), manual('run-2'), 'a pull request holds it', 'refused locked', []],
])

/* a pull request that has not applied */
play('lock', [
  [claimed(), changed, '', 'held.changed', []],
  [claimed(), closed(true, false), 'merged', 'free', [disarmed]],
  [claimed(), closed(false, false), 'unmerged', 'free', [disarmed]],
  [claimed(), closed(true, true), 'merged, its apply is in flight', 'held.merged', []],
  [claimed(), closed(false, true), 'unmerged, its apply is in flight', 'held.orphaned', ['warnOrphaned']],
  [claimed(), settled('blocked', false), 'it was never applied', 'held.claimed', []],
])

/* one that has */
play('lock', [
  [claimed(changed), closed(true, false), 'merged', 'free', [disarmed]],
  [claimed(changed), closed(true, true), 'merged, its apply is in flight', 'held.merged', []],
  [claimed(changed), closed(false, false), 'unmerged', 'held.orphaned', ['warnOrphaned']],
  [claimed(changed), closed(false, true), 'unmerged, its apply is in flight', 'held.orphaned', ['warnOrphaned']],
  [claimed(changed), settled('applied'), '', 'held.changed', []],
  [
    claimed(settled('unknown', false)),
    closed(true, false),
    'an unknown stack keeps it',
    'held.orphaned',
    ['warnOrphaned'],
  ],
  [unknown(), closed(true, false), 'an unknown stack keeps its lock', 'held.orphaned', ['warnOrphaned']],
  [
    claimed(changed, settled('unknown', false), settled('applied')),
    closed(true, false),
    'seen after all',
    'free',
    [disarmed],
  ],
])

/* merged while its apply is in flight */
for (const outcome of ['applied', 'noop'] as const) {
  play('lock', [
    [lock(onMerge()), settled(outcome), outcome, 'free', [disarmed]],
    [lock(onMerge()), finished(outcome), outcome, 'free', [disarmed]],
  ])
}
for (const outcome of ['failed', 'unknown', 'blocked', 'skipped', 'unconfirmed'] as const) {
  const by_result = outcome === 'failed' || outcome === 'unconfirmed'
  play('lock', [
    [lock(onMerge()), settled(outcome, by_result), outcome, 'held.orphaned', ['warnOrphaned']],
    [lock(onMerge()), finished(outcome), outcome, 'held.orphaned', ['warnOrphaned']],
  ])
}
play('lock', [
  [lock(onMerge()), finished('superseded'), 'superseded', 'held.orphaned', ['warnOrphaned']],
  [lock(onMerge(), settled('unknown', false)), settled('applied'), 'a late result', 'free', [disarmed]],
  [lock(onMerge(), settled('unknown', false)), settled('noop'), 'a late result', 'free', [disarmed]],
  [lock(onMerge(), settled('failed')), closed(true, false), 'notified again that it is merged', 'held.orphaned', []],
  [claimed(changed, closed(false, true)), settled('applied'), 'nothing merged says so', 'held.orphaned', []],
  [claimed(changed, closed(false, false)), reopened, '', 'held.changed', []],
])

/* a manual run */
for (const outcome of ['applied', 'noop', 'failed', 'unconfirmed'] as const)
  play('lock', [[lock(manual()), settled(outcome), `a result: ${outcome}`, 'free', [disarmed]]])
for (const outcome of ['blocked', 'skipped'] as const) {
  play('lock', [
    [lock(manual()), settled(outcome, false), 'the run is not over', 'held.manual', []],
    [lock(manual()), finished(outcome), outcome, 'free', [disarmed]],
  ])
}
play('lock', [
  [lock(manual()), finished('superseded'), 'never started', 'free', [disarmed]],
  [lock(manual()), finished('pending'), 'about to be blocked or skipped', 'free', [disarmed]],
  [lock(manual()), settled('unknown', false), 'an unknown stack keeps its lock', 'held.manual', []],
  [lock(manual()), finished('unknown'), 'an unknown stack keeps its lock', 'held.manual', []],
  [lock(manual(), settled('unknown', false)), finished('blocked'), 'it cannot be both', 'held.manual', []],
  [lock(manual(), settled('unknown', false)), settled('failed'), 'a late result', 'free', [disarmed]],
  [lock(manual()), closed(true, false), 'no pull request holds it', 'held.manual', []],
])

/* unlock and reminders, wherever it is held */
const held = [claimed(), claimed(changed), unknown(), lock(onMerge()), claimed(closed(false, true))]
for (const from of held) {
  play('lock', [
    [from, release, '', 'free', [disarmed, 'auditUnlock', 'commentUnlocked']],
    [from, due, '', `held.${(from.value as { held: string }).held}`, ['remindHolder', armed]],
  ])
}
play('lock', [
  [lock(pull(7)), { ...release, asked_in: 7 }, 'answered where it was asked', 'free', [disarmed, 'auditUnlock']],
  [lock(pull(7)), { ...release, asked_in: 8 }, 'asked elsewhere', 'free', [disarmed, 'auditUnlock', 'commentUnlocked']],
  [lock(manual()), release, 'no pull request to tell', 'free', [disarmed, 'auditUnlock']],
  [lock(manual()), due, '', 'held.manual', ['remindHolder', armed]],
  [lock(), release, 'nothing to release', 'free', []],
  [lock(), due, 'rang too late', 'free', []],
])

t.test('news of another run, pull request or fence does not concern the present holder', async (t) => {
  const news: LockEvent[] = [
    { type: 'stack.changed', run_id: 'run-0' },
    { type: 'stack.settled', run_id: 'run-0', outcome: 'applied', by_result: true },
    { type: 'stack.settled', run_id: 'run-1', outcome: 'applied', by_result: true, fence: 1 },
    { type: 'run.finished', run_id: 'run-0', outcome: 'blocked' },
    { type: 'pull_request.closed', pr_number: 6, merged: true, apply_in_flight: false },
    { type: 'pull_request.reopened', pr_number: 6 },
  ]
  for (const from of [claimed(release, pull(7)), lock(pull(1), release, onMerge()), lock(pull(1), release, manual())])
    for (const event of news) t.match(transit('lock', from, event), { changed: false, actions: [] }, event.type)
})

t.test('each acquisition raises the fence, and the pull request keeps its place in time', async (t) => {
  const later = '2026-03-02T12:00:00Z'
  const first = claimed()
  t.match(first.context, { fence: 1, run_id: 'run-1', pr_number: 7, manual: false, taken_at: at })
  const again = transit('lock', first, pull(7, 'run-2', later)).snapshot
  t.match(again.context, { fence: 2, run_id: 'run-2', pr_number: 7, taken_at: at })
  const freed = transit('lock', again, release).snapshot
  t.same(freed.context, { fence: 2, manual: false, merged: false, unknown: false, remind_after: 86_400 })
  const other = transit('lock', freed, pull(8, 'run-3', later)).snapshot
  t.match(other.context, { fence: 3, run_id: 'run-3', pr_number: 8, taken_at: later })
})

t.test('taken again by its pull request, a lock still remembers that a stack is unknown', async (t) => {
  const again = transit('lock', unknown(), pull(7, 'run-2')).snapshot
  t.equal(again.context.unknown, true)
  const seen: LockEvent = { type: 'stack.settled', run_id: 'run-2', outcome: 'applied', by_result: true }
  t.equal(transit('lock', again, seen).snapshot.context.unknown, false)
})

t.test('a refusal says who holds the lock, in the form that the conflict of the answer needs', async (t) => {
  t.same(transit('lock', claimed(), pull(8, 'run-2')).refusal, {
    code: 'locked',
    reason: 'locked by pull request #7 (run run-1)',
    details: { run_id: 'run-1', pr_number: 7, taken_at: at },
  })
  t.same(transit('lock', lock(manual()), pull(8, 'run-2')).refusal?.details, { run_id: 'run-1', taken_at: at })
})

t.test('a release is audited with who held the lock, who released it and why', async (t) => {
  const params = { run_id: 'run-1', pr_number: 7, actor: 'ada', reason: 'runner died', force_state: true }
  t.same(transit('lock', claimed(), release).actions.slice(1), [
    { type: 'auditUnlock', params },
    { type: 'commentUnlocked', params },
  ])
})

t.test('the configuration may remind sooner', async (t) => {
  const { actions } = transit('lock', begin('lock', {}), { ...pull(7), remind_after: 3600 } as LockEvent)
  t.match(actions, [{ type: 'scheduleTimer', params: { name: 'reminder', seconds: 3600 } }])
})
