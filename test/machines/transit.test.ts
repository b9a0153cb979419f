import t from 'tap'
import { actions } from '#machines/actions.ts'
import { describe } from '#machines/describe.ts'
import { begin, parseEvent, parseInput, stateOf, transit } from '#machines/index.ts'
import { after } from './play.ts'

const plan = { mode: 'plan', trigger: 'pull_request', manual: false } as const

t.test('an event that no machine knows throws, and so does one of another kind', async (t) => {
  const run = begin('run', plan)
  for (const type of ['stack.setled', 'xstate.stop', 'toString'])
    t.throws(() => transit('run', run, { type } as never), { message: `no machine knows the event ${type}` })
  t.throws(() => transit('run', run, { type: 'reminder.due' } as never), {
    message: 'a run does not know the event reminder.due, which is one of: lock',
  })
  t.throws(() => transit('lock', begin('lock', {}), { type: 'runner.lost' } as never), {
    message: 'a lock does not know the event runner.lost, which is one of: run, stack, dispatch',
  })
})

t.test('a stored event is of the kind, or is refused with what is wrong with it', async (t) => {
  const stored = { type: 'runner.lost', reason: 'not_picked_up' }
  t.same(parseEvent('stack', stored), stored)
  t.same(parseEvent('dispatch', stored), { type: 'runner.lost' }, 'with the fields that the kind knows, and no more')
  t.throws(() => parseEvent('stack', { type: 'runner.lost' }), {
    message: /^the event runner.lost for a stack is malformed:[\s\S]*reason/,
  })
  for (const nothing of [undefined, null, 'runner.lost', {}, { type: 7 }])
    t.throws(() => parseEvent('stack', nothing), { message: /^no event for a stack, it has no type/ })
  t.throws(() => parseInput('dispatch', { wave: 0 }), { message: /^the input of a dispatch is malformed:[\s\S]*part/ })
})

t.test('an event that means nothing in this state changes nothing', async (t) => {
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

t.test('a machine begins after an event that moves it, and takes none that asks for more', async (t) => {
  const stack = { mode: 'plan', wave: 0 } as const
  t.equal(stateOf(begin('stack', stack, { type: 'stack.started', mode: 'plan' })), 'planning')
  const others = [{ type: 'stack.skipped' }, { type: 'stack.started', mode: 'apply' }] as const
  for (const took of others)
    t.throws(() => begin('stack', stack, took), { message: `a new stack does not merely take ${took.type}` })
})

t.test('a transition leaves the snapshot from before as it was', async (t) => {
  const run = after('run', plan, { type: 'graph.resolved', tallies: [2] })
  const before = JSON.stringify(run)
  const { snapshot } = transit('run', run, { type: 'stack.settled', wave: 0, outcome: 'failed' })
  t.equal(JSON.stringify(run), before)
  t.not(JSON.stringify(snapshot), before)
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
