import t from 'tap'
import { begin, type EventOf, transit } from '#machines/index.ts'
import { after, play, type Row } from './play.ts'

type StackEvent = EventOf<'stack'>
type Result = 'changes' | 'none' | 'failed' | 'unconfirmed'

const result = (outcome: Result, digest = 'first'): StackEvent => ({ type: 'result.reported', outcome, digest })
const started = (mode: 'plan' | 'apply' | 'drift'): StackEvent => ({ type: 'stack.started', mode })
const lost: StackEvent = { type: 'runner.lost', reason: 'workflow_finished' }
const blocked: StackEvent = { type: 'stack.blocked', by: ['network', 'dns'] }
const skipped: StackEvent = { type: 'stack.skipped' }
const superseded: StackEvent = { type: 'run.superseded' }

const plan = (...events: StackEvent[]) => after('stack', { mode: 'plan', wave: 1 }, ...events)
const drift = (...events: StackEvent[]) => after('stack', { mode: 'drift', wave: 1 }, ...events)
const apply = (...events: StackEvent[]) => after('stack', { mode: 'apply', wave: 1 }, ...events)
const planning = (...events: StackEvent[]) => plan(started('plan'), ...events)
const applying = (...events: StackEvent[]) => apply(started('apply'), ...events)

/* settle: the run, in an apply the lock of a stack that a job had, then what people see */
const tellsRun = (outcome: string) => [`tellRun stack.settled ${outcome}`, 'publishStack']
const tellsLock = (outcome: string, ...lock: string[]) => [
  `tellRun stack.settled ${outcome}`,
  ...lock.map((news) => `tellLock ${news}`),
  'publishStack',
]

play('stack', [
  [plan(), started('plan'), '', 'planning', []],
  [drift(), started('drift'), '', 'planning', []],
  [apply(), started('apply'), '', 'applying', []],
  [plan(), started('apply'), 'not its mode', 'refused conflict', []],
  [plan(), blocked, '', 'blocked', tellsRun('blocked')],
  [plan(), skipped, '', 'skipped', tellsRun('skipped')],
  [apply(), blocked, 'its lock hears when the run ends', 'blocked', tellsRun('blocked')],
  [apply(), skipped, 'its lock hears when the run ends', 'skipped', tellsRun('skipped')],
  [applying(), skipped, 'never sent', 'skipped', tellsRun('skipped')],
  [planning(), skipped, 'a plan is superseded instead', 'planning', []],
  [plan(), superseded, 'the run has counted it', 'superseded', []],
  [planning(), superseded, 'the run has counted it', 'superseded', []],
  [applying(), superseded, 'its job is changing infrastructure', 'applying', []],
  [plan(), lost, 'nobody runs it yet', 'pending', []],
])

for (const [name, from] of [
  ['not started', plan()],
  ['', planning()],
  ['drift', drift(started('drift'))],
] as const) {
  play('stack', [
    [from, result('changes'), name, 'planned', tellsRun('succeeded')],
    [from, result('none'), name, 'noop', tellsRun('succeeded')],
    [from, result('failed'), name, 'failed', tellsRun('failed')],
    [from, result('unconfirmed'), name, 'unconfirmed', tellsRun('unconfirmed')],
  ])
}

for (const [name, from, late] of [
  ['not started', apply(), ''],
  ['', applying(), ''],
  ['late', applying(lost), ' from unknown'],
] as const) {
  const succeeded = `succeeded${late}`
  play('stack', [
    [from, result('changes'), name, 'applied', tellsLock(succeeded, 'stack.changed', 'stack.settled applied')],
    [from, result('none'), name, 'noop', tellsLock(succeeded, 'stack.settled noop')],
    [from, result('failed'), name, 'failed', tellsLock(`failed${late}`, 'stack.changed', 'stack.settled failed')],
    [
      from,
      result('unconfirmed'),
      name,
      'unconfirmed',
      tellsLock(`unconfirmed${late}`, 'stack.changed', 'stack.settled unconfirmed'),
    ],
  ])
}

for (const reason of ['workflow_finished', 'not_picked_up', 'dispatch_refused'] as const) {
  const unseen = tellsLock('unknown', 'stack.changed', 'stack.settled unknown without a result')
  play('stack', [
    [planning(), { type: 'runner.lost', reason }, reason, 'unknown', tellsRun('unknown')],
    [applying(), { type: 'runner.lost', reason }, reason, 'unknown', unseen],
  ])
}

play('stack', [
  [planning(lost), result('changes'), 'late', 'planned', tellsRun('succeeded from unknown')],
  [planning(lost), result('none'), 'late', 'noop', tellsRun('succeeded from unknown')],
  [planning(lost), result('failed'), 'late', 'failed', tellsRun('failed from unknown')],
  [planning(lost), result('unconfirmed'), 'late', 'unconfirmed', tellsRun('unconfirmed from unknown')],
  [planning(lost), superseded, 'unknown may still report', 'unknown', []],
  [planning(lost), lost, 'lost once already', 'unknown', []],
])

const finished = (['changes', 'none', 'failed', 'unconfirmed'] as const).flatMap((one) => [
  { one, from: planning(result(one)) },
  { one, from: applying(result(one)) },
  { one, from: planning(lost, result(one)) },
])
play(
  'stack',
  finished.flatMap(({ one, from }): Row<'stack'>[] => {
    const state = String(from.value)
    return [
      [from, result(one), 'the same result again', state, []],
      [from, result(one, 'second'), 'another result', 'refused conflict', []],
      [from, lost, 'it has reported', state, []],
      [from, superseded, 'a settled row stays', state, []],
      [from, blocked, 'a settled row stays', state, []],
      [from, skipped, 'a settled row stays', state, []],
    ]
  }),
)

play('stack', [
  [plan(blocked), result('none'), '', 'refused conflict', []],
  [plan(skipped), result('none'), '', 'refused conflict', []],
  [plan(superseded), result('none'), '', 'refused superseded', []],
  [plan(blocked), blocked, 'the same again', 'blocked', []],
  [plan(blocked), { type: 'stack.blocked', by: ['vault'] }, 'a second failure reaches it', 'blocked', ['publishStack']],
])

t.test('a blocked stack names the predecessors that reach it, sorted, each once', async (t) => {
  t.same(plan(blocked).context.blocked_by, ['dns', 'network'])
  t.same(plan(blocked, { type: 'stack.blocked', by: ['vault', 'dns'] }).context.blocked_by, ['dns', 'network', 'vault'])
})

t.test('the digest of the recorded result and the reason of a loss are kept', async (t) => {
  t.same(planning(lost, result('none')).context, {
    mode: 'plan',
    wave: 1,
    blocked_by: [],
    lost: 'workflow_finished',
    digest: 'first',
  })
})

t.test('the run is told the wave, the lock is told the fence', async (t) => {
  const { actions } = transit('stack', begin('stack', { mode: 'apply', wave: 3, fence: 7 }), {
    type: 'result.reported',
    outcome: 'none',
    digest: 'first',
  })
  t.same(
    actions.map(({ params }) => params),
    [
      { event: { type: 'stack.settled', wave: 3, outcome: 'succeeded' } },
      { event: { type: 'stack.settled', outcome: 'noop', by_result: true, fence: 7 } },
      {},
    ],
  )
})
