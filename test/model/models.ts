import {
  type Action,
  type ContextOf,
  type EventOf,
  type InputOf,
  type Kind,
  type Snapshot,
  stateOf,
  type Transition,
} from '#machines/index.ts'

/** One step of a path: the machine's state, the event, and the result. */
export type Step<K extends Kind> = { before: Snapshot<K>; event: EventOf<K>; then: Transition<K>; armed: Set<string> }

/** A machine in the form that path generation needs, and the invariants that a single machine can break. */
export type Model<K extends Kind> = {
  kind: K
  title: string
  input: InputOf<K>
  events: EventOf<K>[]
  /** The part of the context that distinguishes states: counters that only grow would make the graph infinite. */
  tells: (context: ContextOf<K>) => unknown
  /** Events that may act again if sent again: the runtime applies events with a key once. */
  repeatable: EventOf<K>['type'][]
  /** What is wrong with the step, in words; nothing if all is well. */
  broken: (step: Step<K>) => (string | false)[]
}

const asks = (actions: Action[], type: Action['type']): boolean => actions.some((action) => action.type === type)

type Tallies = ContextOf<'run'>['tallies']
const open = (tallies: Tallies): number => tallies.reduce((sum, tally) => sum + tally.open, 0)
const final = new Set(['planned', 'applied', 'failed', 'unconfirmed', 'superseded'])

const runBroken: Model<'run'>['broken'] = ({ before, then }) => {
  const { tallies, wave } = then.snapshot.context
  const state = stateOf(then.snapshot)
  const started = then.actions.flatMap((action) => (action.type === 'startWave' ? [action.params.wave] : []))
  const entered = final.has(state) && !final.has(stateOf(before))
  return [
    tallies.some(({ total, ...counts }) => Object.values(counts).reduce((sum, count) => sum + count) !== total) &&
      'a tally is not the sum of its parts',
    tallies.some((tally) => Object.values(tally).some((count) => count < 0)) && 'a tally is negative',
    state === 'planning' && open(tallies) === 0 && 'planning, and no stack is open',
    state.startsWith('applying') && !tallies[wave]?.open && 'applying, and no stack of the wave is open',
    entered && open(tallies) > 0 && !asks(then.actions, 'skipRest') && 'ended, and open stacks are left alone',
    entered && !asks(then.actions, 'finishRun') && 'ended, and its finish is not announced',
    then.changed && entered && !asks(then.actions, 'publishRun') && 'ended, and it is not published',
    started.some((n) => tallies.slice(0, n).some((tally) => tally.succeeded !== tally.total)) &&
      'a wave started before the one before it had succeeded',
    started.some((n) => n !== wave) && 'a wave started that is not the current one',
  ]
}

const outcomes = ['succeeded', 'failed', 'unknown', 'unconfirmed'] as const
const settled = (wave: number, ...reached: ('blocked' | 'skipped')[]): EventOf<'run'>[] => [
  ...[...outcomes, ...reached].map((outcome) => ({ type: 'stack.settled', wave, outcome }) as const),
  ...(['succeeded', 'failed', 'unconfirmed'] as const).map(
    (outcome) => ({ type: 'stack.settled', wave, outcome, from: 'unknown' }) as const,
  ),
]

const runModel = (title: string, input: InputOf<'run'>, events: EventOf<'run'>[]): Model<'run'> => ({
  kind: 'run',
  title,
  input,
  events: [
    ...events,
    { type: 'head.replaced', run_id: 'run-2', sha: 'c0ffee' },
    { type: 'dispatch.refused', message: 'No ref found' },
  ],
  tells: ({ tallies, wave }) => [wave, tallies.map((tally) => Object.values(tally).join())],
  repeatable: ['graph.resolved', 'stack.settled', 'wave.held', 'window.due'],
  broken: runBroken,
})

export const planRun = (...tallies: number[]): Model<'run'> =>
  runModel(`plan run of ${tallies}`, { mode: 'plan', trigger: 'pull_request', manual: false }, [
    { type: 'graph.resolved', tallies },
    { type: 'replan.requested', tallies },
    { type: 'graph.resolved', tallies: [] },
    { type: 'resolution.failed', reason: 'a cycle' },
    ...tallies.flatMap((_, wave) => settled(wave)),
  ])

export const applyRun = (manual: boolean, ...tallies: number[]): Model<'run'> =>
  runModel(
    `${manual ? 'manual' : 'dispatched'} apply run of ${tallies}`,
    { mode: 'apply', trigger: manual ? 'manual' : 'comment', manual },
    [
      { type: 'apply.requested', tallies },
      ...(manual ? [{ type: 'runner.lost' } as const] : []),
      ...settled(0),
      ...tallies.slice(1).flatMap((_, wave) => settled(wave + 1, 'blocked', 'skipped')),
    ],
  )

/** An apply whose policy has windows that hold waves. */
export const heldRun = (...tallies: number[]): Model<'run'> => {
  const { events } = applyRun(false, ...tallies)
  return runModel(
    `apply run of ${tallies} that asks windows`,
    { mode: 'apply', trigger: 'comment', manual: false, asks_windows: true },
    [
      ...events.filter(({ type }) => type !== 'head.replaced' && type !== 'dispatch.refused'),
      { type: 'window.due' },
      ...tallies.flatMap((_, wave) => [
        { type: 'wave.cleared', wave } as const,
        { type: 'wave.held', wave, seconds: 60, message: 'until Monday' } as const,
      ]),
    ],
  )
}

const open_stack = new Set(['pending', 'planning', 'applying'])

export const stackRow = (mode: 'plan' | 'apply' | 'drift'): Model<'stack'> => ({
  kind: 'stack',
  title: `stack of ${mode === 'apply' ? 'an' : 'a'} ${mode} run`,
  input: { mode, wave: 0 },
  events: [
    { type: 'stack.started', mode: 'plan' },
    { type: 'stack.started', mode: 'apply' },
    { type: 'stack.started', mode: 'drift' },
    ...(['changes', 'none', 'failed', 'unconfirmed'] as const).map(
      (outcome) => ({ type: 'result.reported', outcome, digest: outcome }) as const,
    ),
    { type: 'stack.blocked', by: ['network'] },
    { type: 'stack.blocked', by: ['dns', 'network'] },
    { type: 'stack.skipped' },
    { type: 'run.superseded' },
    { type: 'runner.lost', reason: 'workflow_finished' },
  ],
  tells: (context) => context,
  repeatable: [],
  broken: ({ before, then }) => {
    const [from, to] = [stateOf(before), stateOf(then.snapshot)]
    const told = then.actions.flatMap((action) =>
      action.type === 'tellRun' && action.params.event.type === 'stack.settled' ? [action.params.event] : [],
    )
    const { blocked_by: _, ...recorded } = before.context
    const { blocked_by: __, ...now } = then.snapshot.context
    return [
      !open_stack.has(from) && from !== 'unknown' && from !== to && 'a settled row moved',
      !open_stack.has(from) &&
        from !== 'unknown' &&
        JSON.stringify(recorded) !== JSON.stringify(now) &&
        'the record of a settled row changed',
      open_stack.has(to) && !open_stack.has(from) && 'a settled row opened again',
      from !== to &&
        !open_stack.has(to) &&
        to !== 'superseded' &&
        told.length !== 1 &&
        'settled, and the run was not told',
      from === to && told.length > 0 && 'the run was told though nothing settled',
      told.some((event) => (event.from === 'unknown') !== (from === 'unknown')) && 'the run would miscount',
      asks(then.actions, 'tellLock') && mode !== 'apply' && 'a plan told the lock',
      to === 'blocked' && then.snapshot.context.blocked_by.length === 0 && 'blocked by nothing',
    ]
  },
})

const requests: EventOf<'lock'>[] = [
  { pr_number: 7, run_id: 'run-1' },
  { pr_number: 7, run_id: 'run-2' },
  { pr_number: 8, run_id: 'run-3' },
  { pr_number: 7, run_id: 'run-4', on_merge: true },
  { manual: true, run_id: 'run-5' },
].map((request) => ({ type: 'lock.requested', at: '2026-03-01T12:00:00Z', ...request }))

/** A person or a job looked: a person who unlocks, or a job with a result. */
const sawIt = (event: EventOf<'lock'>): boolean =>
  event.type === 'release.requested' ||
  (event.type === 'stack.settled' && event.by_result) ||
  (event.type === 'run.finished' && event.outcome === 'applied')

export const lock: Model<'lock'> = {
  kind: 'lock',
  title: 'lock',
  input: {},
  events: [
    ...requests,
    ...['run-1', 'run-4', 'run-5'].flatMap((run_id): EventOf<'lock'>[] => [
      { type: 'stack.changed', run_id },
      ...(['applied', 'noop', 'failed', 'unconfirmed'] as const).map(
        (outcome) => ({ type: 'stack.settled', run_id, outcome, by_result: true }) as const,
      ),
      ...(['unknown', 'blocked', 'skipped'] as const).map(
        (outcome) => ({ type: 'stack.settled', run_id, outcome, by_result: false }) as const,
      ),
      { type: 'run.finished', run_id, outcome: 'blocked' },
      { type: 'run.finished', run_id, outcome: 'applied' },
    ]),
    ...[true, false].flatMap((merged) =>
      [true, false].map(
        (apply_in_flight) => ({ type: 'pull_request.closed', pr_number: 7, merged, apply_in_flight }) as const,
      ),
    ),
    { type: 'pull_request.reopened', pr_number: 7 },
    { type: 'release.requested', actor: 'ada' },
    { type: 'reminder.due' },
  ],
  tells: ({ run_id, merged, unknown }) => [run_id, merged, unknown],
  repeatable: ['reminder.due'],
  broken: ({ before, event, then, armed }) => {
    const held = stateOf(then.snapshot) !== 'free'
    const { context } = then.snapshot
    const raised = context.fence - before.context.fence
    return [
      (raised < 0 || raised > 1) && 'the fence does not count acquisitions',
      raised !== Number(context.run_id !== before.context.run_id && held) && 'taken, and the fence was not raised',
      held && (context.run_id === undefined || context.taken_at === undefined) && 'held by nobody',
      held && context.manual === (context.pr_number !== undefined) && 'held by a run and by a pull request',
      !held && context.run_id !== undefined && 'free, and somebody holds it',
      held !== armed.has('reminder') && 'a reminder that nobody waits for, or none',
      before.context.unknown && !held && !sawIt(event) && 'a stack is unknown, and its lock went free unseen',
      before.context.pr_number !== undefined &&
        context.pr_number !== undefined &&
        context.pr_number !== before.context.pr_number &&
        'it changed hands without being freed',
    ]
  },
}

const waiting: Record<string, string[]> = { refused: ['deadline', 'resend'], awaiting: ['pickup'] }

export const dispatch: Model<'dispatch'> = {
  kind: 'dispatch',
  title: 'dispatch',
  input: { wave: 0, part: 1 },
  events: [
    { type: 'dispatch.sent' },
    { type: 'dispatch.sent', workflow_run_id: 99 },
    { type: 'dispatch.refused', status: 422, message: 'No ref found' },
    { type: 'resend.due' },
    { type: 'workflow.bound', workflow_run_id: 99, attempt: 1 },
    { type: 'workflow.bound', workflow_run_id: 99, attempt: 2 },
    { type: 'workflow.bound', workflow_run_id: 98, attempt: 1 },
    { type: 'workflow.completed', conclusion: 'success', attempt: 1 },
    { type: 'workflow.completed', conclusion: 'failure', attempt: 2 },
    { type: 'runner.lost' },
  ],
  tells: ({ refusals, ...context }) => [refusals > 0, context],
  repeatable: [],
  broken: ({ before, then, armed }) => {
    const [from, to] = [stateOf(before), stateOf(then.snapshot)]
    return [
      (waiting[to] ?? []).some((timer) => !armed.has(timer)) && `${to}, and a timer is missing`,
      ['bound', 'completed'].includes(to) && armed.size > 0 && `${to}, and ${[...armed]} is still armed`,
      to === 'bound' && then.snapshot.context.workflow_run_id === undefined && 'bound to nothing',
      (to === 'lost' || to === 'completed') !== asks(then.actions, 'tellOpenStacks') &&
        from !== to &&
        'its stacks were not told of the lost runner, or told too soon',
      from === 'completed' && from !== to && 'a completed dispatch moved',
    ]
  },
}
