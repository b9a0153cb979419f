import t from 'tap'
import { transition } from 'xstate'
import { actions } from '#machines/actions.ts'
import { describe } from '#machines/describe.ts'
import { begin, type Kind, transit } from '#machines/index.ts'
import { kinds } from '#machines/kinds.ts'
import { after } from './play.ts'

const plan = { mode: 'plan', trigger: 'pull_request', manual: false } as const

t.test('an event that the kind does not have leaves all as it is', async (t) => {
  const run = begin('run', plan)
  t.same(transit('run', run, { type: 'reminder.due' } as never), { snapshot: run, changed: false, actions: [] })
  t.same(transit('run', run, { type: 'xstate.stop' } as never), { snapshot: run, changed: false, actions: [] })
})

t.test('an event that means nothing in this state leaves all as it is', async (t) => {
  const run = begin('run', plan)
  const { snapshot, changed } = transit('run', run, { type: 'stack.settled', wave: 0, outcome: 'succeeded' })
  t.equal(snapshot, run)
  t.equal(changed, false)
})

t.test('a malformed event throws, and names what is wrong with it', async (t) => {
  const run = begin('run', plan)
  const malformed = { type: 'stack.settled', wave: 'first', outcome: 'succeeded' } as never
  t.throws(() => transit('run', run, malformed), /wave/)
  const nobody = { type: 'lock.requested', run_id: 'run-1', at: '2026-03-01T12:00:00Z' } as const
  t.throws(() => transit('lock', begin('lock', {}), nobody), /needs pr_number, or manual: true/)
  t.throws(() => transit('lock', begin('lock', {}), { ...nobody, pr_number: 7, manual: true }), /not both/)
})

t.test('an input that does not fit throws', async (t) => {
  t.throws(() => begin('run', { ...plan, mode: 'destroy' } as never), /mode/)
  t.throws(() => begin('dispatch', { wave: 0, part: 0 }), /part/)
})

t.test('a transition leaves the snapshot from before as it was', async (t) => {
  const run = after('run', plan, { type: 'graph.resolved', tallies: [2] })
  const before = JSON.stringify(run)
  const { snapshot } = transit('run', run, { type: 'stack.settled', wave: 0, outcome: 'failed' })
  t.equal(JSON.stringify(run), before)
  t.not(JSON.stringify(snapshot), before)
})

t.test("transit answers what XState's own transition() does", async (t) => {
  const started = after('stack', { mode: 'apply', wave: 1 }, { type: 'stack.started', mode: 'apply' })
  for (const [kind, snapshot, event] of [
    ['run', begin('run', plan), { type: 'graph.resolved', tallies: [2, 1] }],
    ['stack', started, { type: 'result.reported', outcome: 'changes', digest: 'first' }],
    ['lock', begin('lock', {}), { type: 'lock.requested', run_id: 'run-1', pr_number: 7, at: '2026-03-01T12:00:00Z' }],
    ['dispatch', begin('dispatch', { wave: 0, part: 1 }), { type: 'dispatch.refused', status: 422, message: 'no' }],
  ] as [Kind, ReturnType<typeof begin>, never][]) {
    const machine = kinds[kind].machine as typeof kinds.run.machine
    const [after, named] = transition(machine, machine.resolveState(snapshot as never), event)
    const then = transit(kind, snapshot, event)
    t.same(then.snapshot, JSON.parse(JSON.stringify({ value: after.value, context: after.context })), kind)
    t.same(
      then.actions,
      named.map(({ type, params }) => ({ type, params: params ?? {} })),
      kind,
    )
  }
})

t.test('every action in the table is named by a machine, alone or as part of another', async (t) => {
  const parts = { releaseWave: ['startWave', 'dispatchWave'], settle: ['tellRun', 'tellLock', 'publishStack'] }
  const named = new Set(
    (['run', 'stack', 'lock', 'dispatch'] as const)
      .map(describe)
      .flatMap(({ on, states }) => [...on, ...states.flatMap((state) => [state, ...state.on])])
      .flatMap((one) => ('event' in one ? one.actions : [...one.entry, ...one.exit]))
      .flatMap(({ type }) => parts[type as keyof typeof parts] ?? [type]),
  )
  for (const name of Object.keys(actions)) t.ok(named.has(name), name)
})
