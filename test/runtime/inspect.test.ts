import t from 'tap'
import { acceptedIn, describeMachine, inspect, type Kind } from '#runtime/inspect.ts'

t.test('a machine accepts the events that have an effect in its state, its outer states, or anywhere', async (t) => {
  const cases: [kind: Kind, state: string, accepted: string[], not: string[]][] = [
    ['run', 'pending', ['graph.resolved', 'replan.requested', 'apply.requested', 'head.replaced'], ['stack.settled']],
    ['run', 'planning', ['graph.resolved', 'stack.settled', 'head.replaced'], ['apply.requested']],
    ['run', 'applying.running', ['stack.settled', 'head.replaced'], ['graph.resolved']],
    ['run', 'superseded', [], ['head.replaced', 'graph.resolved']],
    ['stack', 'pending', ['stack.started', 'result.reported', 'stack.blocked', 'stack.skipped'], []],
    ['stack', 'superseded', [], ['result.reported', 'stack.started']],
    ['stack', 'unknown', ['result.reported'], ['stack.started']],
    ['lock', 'free', ['lock.requested'], ['reminder.due']],
    ['lock', 'held.claimed', ['lock.requested', 'release.requested', 'reminder.due'], ['run.finished']],
    ['dispatch', 'requested', ['dispatch.sent', 'dispatch.refused', 'workflow.bound'], ['resend.due']],
  ]
  for (const [kind, state, accepted, not] of cases) {
    const found = acceptedIn(describeMachine(kind), state)
    t.same(
      accepted.filter((event) => !found.includes(event)),
      [],
      `${kind} ${state} accepts: ${found.join(', ')}`,
    )
    t.same(
      not.filter((event) => found.includes(event)),
      [],
      `${kind} ${state} does not`,
    )
  }
})

t.test('an unconditional refusal ends the search, a conditional one does not', async (t) => {
  const to = (event: string, more: object = {}) => ({ event, actions: [], ...more })
  const state = (name: string, ...on: object[]) => ({ name, final: false, entry: [], exit: [], on }) as never
  const chart = {
    kind: 'run' as const,
    version: 1,
    initial: 'a',
    on: [to('outer', { target: 'b' }), to('hidden', { target: 'b' })],
    states: [
      state(
        'a',
        to('refused', { actions: [{ type: 'refuse' }] }),
        to('refused', { target: 'b' }),
        to('sometimes', { guard: 'no', actions: [{ type: 'refuse' }] }),
        to('sometimes', { target: 'b' }),
        to('hidden'),
      ),
      state('a.b', to('inner', { guard: 'yes', target: 'b' })),
      state('b', to('elsewhere', { target: 'a' })),
    ],
  }
  t.same(acceptedIn(chart, 'a'), ['sometimes', 'outer'])
  t.same(acceptedIn(chart, 'a.b'), ['inner', 'sometimes', 'outer'])
})

t.test('a snapshot unknown to this version is an error, not a guess', async (t) => {
  t.throws(() => inspect('lock', { version: 1, snapshot: { value: 'gone', context: {} } }), /lock snapshot/)
  t.throws(() => inspect('lock', { version: 99, snapshot: { value: 'free', context: {} } }), /version 99/)
})
