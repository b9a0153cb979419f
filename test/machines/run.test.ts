import t from 'tap'
import { begin, type EventOf, transit } from '#machines/index.ts'
import { after, outcome, play, say } from './play.ts'

type RunEvent = EventOf<'run'>
type Outcome = 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped' | 'unconfirmed'

const resolved = (...tallies: number[]): RunEvent => ({ type: 'graph.resolved', tallies })
const planned = (...tallies: number[]): RunEvent => ({ type: 'replan.requested', tallies })
const applied = (...tallies: number[]): RunEvent => ({ type: 'apply.requested', tallies })
const cyclic: RunEvent = { type: 'resolution.failed', reason: 'a cycle', cycles: ['a → b → a'] }
const replaced: RunEvent = { type: 'head.replaced', run_id: 'run-2', sha: 'c0ffee' }
const settled = (outcome: Outcome, wave = 0): RunEvent => ({ type: 'stack.settled', wave, outcome })
const late = (outcome: Outcome, wave = 0): RunEvent => ({ type: 'stack.settled', wave, outcome, from: 'unknown' })
const together = (stacks: number, outcome: Outcome, wave = 0): RunEvent => ({
  type: 'stack.settled',
  wave,
  outcome,
  stacks,
})
const refused: RunEvent = { type: 'dispatch.refused', message: 'No ref found' }

const plan = (...events: RunEvent[]) =>
  after('run', { mode: 'plan', trigger: 'pull_request', manual: false }, ...events)
const drift = (...events: RunEvent[]) => after('run', { mode: 'drift', trigger: 'schedule', manual: false }, ...events)
const apply = (...events: RunEvent[]) => after('run', { mode: 'apply', trigger: 'comment', manual: false }, ...events)
const manual = (...events: RunEvent[]) => after('run', { mode: 'apply', trigger: 'manual', manual: true }, ...events)

const hasty = (...events: RunEvent[]) =>
  after('run', { mode: 'apply', trigger: 'manual', manual: true, runner_timeout: 3600 }, ...events)

const lost: RunEvent = { type: 'runner.lost' }
const awaited = 'scheduleTimer caller runner.lost 86400'
const ended = ['publishRun', 'finishRun']
const cutOff = ['supersedeStacks', 'publishRun', 'finishRun']
const endedEarly = ['blockDependents', 'skipRest', ...ended]

/* planning */
play('run', [
  [plan(), resolved(), 'no stack affected', 'planned', ended],
  [plan(), resolved(0, 0), 'no stack in any wave', 'planned', ended],
  [plan(), resolved(2, 1), '', 'planning', ['startStacks', 'publishRun']],
  [plan(resolved(2, 1)), resolved(1), 'the graph is uploaded again', 'planning', ['startStacks', 'publishRun']],
  [plan(resolved(2, 1)), resolved(), 'again, and nothing is affected now', 'planned', ended],
  [plan(), cyclic, '', 'failed', ended],
  [plan(resolved(2)), cyclic, 'the stacks of the first graph will not be planned', 'failed', [...cutOff]],
  [plan(), planned(2), 'rerun', 'planning', ['startStacks', 'dispatchAll', 'publishRun']],
  [drift(), planned(2), 'drift', 'planning', ['startStacks', 'dispatchAll', 'publishRun']],
  [drift(), planned(), 'nothing to plan', 'planned', ended],

  [plan(resolved(1, 1)), settled('succeeded'), 'others open', 'planning', []],
  [plan(resolved(1, 1)), settled('failed'), 'others open, waves do not wait for each other', 'planning', []],
  [plan(resolved(1)), settled('succeeded'), 'last', 'planned', ended],
  [plan(resolved(2), settled('failed')), settled('succeeded'), 'last; one failed', 'failed', ended],
  [plan(resolved(2), settled('succeeded')), settled('unknown'), 'last; one unknown', 'failed', ended],
  [plan(resolved(2), settled('unconfirmed')), settled('succeeded'), 'last; one unconfirmed', 'unconfirmed', ended],
  [plan(resolved(2), settled('unconfirmed')), settled('failed'), 'failed outweighs unconfirmed', 'failed', ended],
  [plan(resolved(2), settled('unknown')), late('succeeded'), 'late, others open', 'planning', []],

  [plan(resolved(1), settled('unknown')), late('succeeded'), 'late; all succeeded after all', 'planned', ended],
  [plan(resolved(1), settled('unknown')), late('failed'), 'late', 'failed', []],
  [plan(resolved(1), settled('unknown')), late('unconfirmed'), 'late', 'unconfirmed', ended],
  [plan(resolved(2), settled('failed'), settled('unknown')), late('succeeded'), 'another failed', 'failed', []],
])

/* a newer head */
play('run', [
  [plan(), replaced, '', 'superseded', cutOff],
  [plan(resolved(2)), replaced, '', 'superseded', cutOff],
  [plan(resolved()), replaced, 'finished once already', 'superseded', ['supersedeStacks', 'publishRun']],
  [plan(cyclic), replaced, '', 'superseded', ['supersedeStacks', 'publishRun']],
  [plan(resolved(1), settled('unconfirmed')), replaced, '', 'superseded', ['supersedeStacks', 'publishRun']],
  [apply(), replaced, 'nothing has been sent yet', 'superseded', cutOff],
  [apply(applied(2)), replaced, 'what was sent must arrive', 'applying.superseding', ['publishRun']],
  [apply(applied(2), settled('failed')), replaced, 'likewise', 'applying.superseding', ['publishRun']],
  [apply(applied(1), settled('succeeded')), replaced, 'an apply that ended is history', 'applied', []],
  [apply(applied(1), settled('failed')), replaced, 'an apply that ended is history', 'failed', []],
  [apply(applied(1), settled('unconfirmed')), replaced, 'an apply that ended is history', 'unconfirmed', []],

  [apply(applied(2, 1), replaced), settled('succeeded'), 'wave still open', 'applying.superseding', []],
  [apply(applied(2, 1), replaced), settled('unknown'), 'wave still open', 'applying.superseding', []],
  [apply(applied(2, 1), replaced), settled('failed'), 'wave still open', 'applying.superseding', ['blockDependents']],
  [apply(applied(1, 1), replaced), settled('succeeded'), 'wave done', 'superseded', endedEarly],
  [apply(applied(1), replaced), settled('succeeded'), 'wave done, the last even', 'superseded', endedEarly],
  [apply(applied(1, 1), replaced), settled('failed'), 'wave done', 'superseded', endedEarly],
  [apply(applied(1, 1), replaced, settled('unknown')), late('succeeded'), 'late', 'superseded', []],
  [plan(resolved(1), settled('unknown'), replaced), late('succeeded'), 'late', 'superseded', []],
])

/* applying */
play('run', [
  [apply(), applied(2, 1), '', 'applying.running', ['startWave 0', 'dispatchWave 0', 'publishRun']],
  [
    apply(),
    applied(0, 1),
    'no stack in the first wave',
    'applying.running',
    ['startWave 1', 'dispatchWave 1', 'publishRun'],
  ],
  [manual(), applied(2, 1), 'its caller runs the jobs', 'applying.running', ['startWave 0', awaited, 'publishRun']],
  [apply(), applied(), 'no stack', 'applied', ended],

  [apply(applied(2)), settled('succeeded'), 'wave still open', 'applying.running', []],
  [apply(applied(2, 1)), settled('failed'), 'wave still open', 'applying.draining', ['blockDependents']],
  [apply(applied(2, 1)), settled('unconfirmed'), 'wave still open', 'applying.draining', ['blockDependents']],
  [apply(applied(2, 1)), settled('unknown'), 'a late result may land before the wave ends', 'applying.draining', []],
  [apply(applied(1, 1)), settled('succeeded'), 'more waves', 'applying.running', ['startWave 1', 'dispatchWave 1']],
  [
    apply(applied(1, 0, 1)),
    settled('succeeded'),
    'the next is empty',
    'applying.running',
    ['startWave 2', 'dispatchWave 2'],
  ],
  [apply(applied(3)), together(2, 'unknown'), 'wave still open', 'applying.draining', []],
  [apply(applied(3)), together(3, 'unknown'), 'all of the wave at once', 'failed', endedEarly],
  [apply(applied(3)), together(4, 'unknown'), 'more than there are: gone astray', 'applying.running', []],
  [apply(applied(1, 3), settled('failed')), together(3, 'blocked', 1), 'after the end', 'failed', []],
  [apply(applied(1, 3), settled('failed')), together(4, 'blocked', 1), 'more than there are', 'failed', []],
  [manual(applied(1, 1)), settled('succeeded'), 'more waves', 'applying.running', ['startWave 1', awaited]],
  [
    manual(applied(1, 2), settled('succeeded', 1)),
    settled('succeeded'),
    'one came early',
    'applying.running',
    ['startWave 1', awaited],
  ],
  [
    manual(applied(1, 1), settled('succeeded', 1)),
    settled('succeeded'),
    'the other came early',
    'applied',
    ['cancelTimer caller', ...ended],
  ],
  [manual(applied(2)), settled('succeeded'), 'it is awaited again', 'applying.running', [awaited]],
  [manual(applied(2)), lost, 'a day', 'applying.running', ['tellOpenStacks runner.lost not_reported']],
  [
    hasty(applied(2)),
    settled('failed'),
    'as long as it said',
    'applying.draining',
    ['scheduleTimer caller runner.lost 3600', 'blockDependents'],
  ],
  [apply(applied(1)), settled('succeeded'), 'last wave', 'applied', ended],
  [apply(applied(1, 1)), settled('failed'), 'wave done', 'failed', endedEarly],
  [apply(applied(1, 1)), settled('unknown'), 'wave done', 'failed', endedEarly],
  [apply(applied(1, 1)), settled('unconfirmed'), 'wave done', 'unconfirmed', endedEarly],

  [apply(applied(3), settled('failed')), settled('succeeded'), 'wave still open', 'applying.draining', []],
  [apply(applied(3), settled('failed')), settled('failed'), 'another', 'applying.draining', ['blockDependents']],
  [apply(applied(3), settled('failed')), settled('unknown'), 'another', 'applying.draining', []],
  [apply(applied(2, 1), settled('failed')), settled('blocked', 1), 'what was blocked says so', 'applying.draining', []],
  [apply(applied(2), settled('failed')), settled('succeeded'), 'wave done', 'failed', endedEarly],
  [apply(applied(2), settled('unknown')), settled('succeeded'), 'wave done', 'failed', endedEarly],
  [apply(applied(2), settled('unconfirmed')), settled('succeeded'), 'wave done', 'unconfirmed', endedEarly],
  [apply(applied(2), settled('unconfirmed')), settled('failed'), 'wave done', 'failed', endedEarly],
  [apply(applied(2, 1), settled('unknown')), late('succeeded'), 'nothing is wrong any more', 'applying.running', []],
  [apply(applied(2, 1), settled('unknown')), late('failed'), 'late', 'applying.draining', ['blockDependents']],
])

/* after the end of an apply */
play('run', [
  [apply(applied(1), settled('unknown')), late('succeeded'), 'every stack now succeeded', 'applied', ended],
  [apply(applied(1), settled('unknown')), late('failed'), '', 'failed', []],
  [apply(applied(1), settled('unknown')), late('unconfirmed'), 'nothing failed', 'unconfirmed', ended],
  [apply(applied(2), settled('failed'), settled('unknown')), late('succeeded'), 'another failed', 'failed', []],
  [apply(applied(1, 1), settled('failed')), settled('blocked', 1), '', 'failed', []],
  [apply(applied(1, 1), settled('failed')), settled('skipped', 1), '', 'failed', []],
  [apply(applied(1, 1), settled('unconfirmed')), settled('blocked', 1), '', 'unconfirmed', []],
  [
    apply(applied(1, 1), settled('unknown'), settled('blocked', 1)),
    late('succeeded'),
    'blocked stacks stay blocked, and the run failed',
    'failed',
    [],
  ],
  [apply(applied(1), settled('succeeded')), late('failed'), 'nothing unknown to settle', 'applied', []],
  [apply(applied(1)), settled('failed', 7), 'no such wave', 'applying.running', []],
])

/* any state */
play('run', [
  [plan(), refused, '', 'pending', ['addWarning']],
  [apply(applied(1)), refused, '', 'applying.running', ['addWarning']],
  [apply(applied(1), settled('succeeded')), refused, '', 'applied', ['addWarning']],
  [plan(resolved()), resolved(1), 'finished', 'refused conflict', []],
  [plan(cyclic), cyclic, 'finished', 'refused conflict', []],
  [plan(resolved(1)), planned(1), 'planning already', 'refused conflict', []],
  [apply(applied(1)), applied(1), 'applying already', 'refused conflict', []],
  [apply(), resolved(1), 'not a plan', 'refused conflict', []],
  [plan(), applied(1), 'not an apply', 'refused conflict', []],
  [plan(replaced), resolved(1), '', 'refused superseded', []],
  [plan(replaced), cyclic, '', 'refused superseded', []],
  [plan(replaced), planned(1), '', 'refused superseded', []],
  [apply(replaced), applied(1), '', 'refused superseded', []],
])

t.test('the tallies follow the rows', async (t) => {
  const counted = (snapshot: { context: object }) =>
    (snapshot.context as { tallies: Record<string, number>[] }).tallies.map((tally) =>
      Object.entries(tally)
        .filter(([, number]) => number > 0)
        .map(([field, number]) => `${number} ${field}`)
        .join(', '),
    )
  t.same(counted(plan(resolved(2, 1), settled('failed'))), ['2 total, 1 open, 1 failed', '1 total, 1 open'])
  t.same(counted(plan(resolved(2, 1), settled('failed'), resolved(3))), ['3 total, 3 open'], 'a new graph, new rows')
  t.same(counted(plan(resolved(2, 1), settled('unknown'), replaced)), [
    '2 total, 1 unknown, 1 superseded',
    '1 total, 1 superseded',
  ])
  const early = apply(applied(1, 2), settled('unknown'), settled('blocked', 1), settled('skipped', 1))
  t.same(counted(early), ['1 total, 1 unknown', '2 total, 1 blocked, 1 skipped'])
  t.same(counted(transit('run', early, late('succeeded')).snapshot), [
    '1 total, 1 succeeded',
    '2 total, 1 blocked, 1 skipped',
  ])
})

t.test('the wave in progress, and the run that came after, are in the context', async (t) => {
  t.equal(apply(applied(1, 1), settled('succeeded')).context.wave, 1)
  t.same(plan(replaced).context.superseded_by, { run_id: 'run-2', sha: 'c0ffee' })
})

t.test('a warning says what the code host said', async (t) => {
  const { actions } = transit('run', begin('run', { mode: 'plan', trigger: 'comment', manual: false }), refused)
  t.same(actions, [{ type: 'addWarning', params: { code: 'dispatch_refused', message: 'No ref found' } }])
})

t.test('of two failures in one wave each blocks at once, and the end of the wave blocks what is left', async (t) => {
  let run = apply(applied(3, 2))
  const told = (['failed', 'failed', 'unknown'] as const).map((one) => {
    const then = transit('run', run, settled(one))
    run = then.snapshot
    return [outcome(then), ...then.actions.map(say).filter((action) => /block|skip/.test(action))]
  })
  t.same(told, [
    ['applying.draining', 'blockDependents'],
    ['applying.draining', 'blockDependents'],
    ['failed', 'blockDependents', 'skipRest'],
  ])
})

/* windows that hold waves */
const windowed = (...events: RunEvent[]) =>
  after('run', { mode: 'apply', trigger: 'comment', manual: false, asks_windows: true }, ...events)
const cleared = (wave = 1): RunEvent => ({ type: 'wave.cleared', wave })
const heldFor = (seconds: number, message = 'until Monday', wave = 1): RunEvent => ({
  ...{ type: 'wave.held', wave, seconds, message },
})
const asksAgain = 'scheduleTimer window window.due 600'
const waits = [applied(1, 1, 1), settled('succeeded')] as const
const skipped = ['cancelTimer window', 'skipRest', ...ended]
play('run', [
  [
    windowed(),
    applied(1, 1),
    'the gate has judged the first',
    'applying.running',
    ['startWave 0', 'dispatchWave 0', 'publishRun'],
  ],
  [windowed(applied(1, 1)), settled('succeeded'), 'more waves', 'applying.holding', [asksAgain, 'askWindow']],
  [windowed(applied(1)), settled('succeeded'), 'the last wave', 'applied', ended],
  [
    windowed(...waits),
    cleared(),
    '',
    'applying.running',
    ['cancelTimer window', 'startWave 1', 'dispatchWave 1', 'publishRun'],
  ],
  [windowed(...waits), cleared(2), 'an answer about another wave', 'applying.holding', []],
  [
    windowed(...waits),
    heldFor(60),
    '',
    'applying.holding',
    ['scheduleTimer window window.due 60', 'addWarning', 'publishRun'],
  ],
  [
    windowed(...waits, heldFor(60)),
    heldFor(30),
    'said before',
    'applying.holding',
    ['scheduleTimer window window.due 30'],
  ],
  [
    windowed(...waits),
    { type: 'window.due' },
    'the answer is late',
    'applying.holding',
    ['cancelTimer window', asksAgain, 'askWindow'],
  ],
  [windowed(...waits), replaced, 'nothing is out', 'superseded', skipped],
  [windowed(applied(1, 1), settled('unknown')), late('succeeded'), 'a late result', 'failed', []],
])

t.test('an apply that waited remembers nothing of it', async (t) => {
  const went = windowed(...waits, heldFor(60), cleared())
  t.same(went, windowed(...waits, cleared()))
})
