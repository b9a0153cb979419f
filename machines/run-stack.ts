import { assertEvent, assign, enqueueActions, setup } from 'xstate'
import { z } from 'zod'
import { changedByApplyStatuses } from '#domain/run-status.ts'
import { LostReason, Mode, type Outcome, type StackEvent } from './events.ts'
import { type NamedAction, named, refuse } from './named.ts'

export const StackInput = z.strictObject({
  mode: Mode,
  wave: z.int().nonnegative(),
  /** The lock's fence when an apply took it: news from before an unlock is recognised by it. */
  fence: z.int().positive().optional(),
})

export const StackContext = StackInput.extend({
  /** Digest of the recorded result; the same digest again is the same result, posted twice. */
  digest: z.string().optional(),
  /** Keys of the predecessors that block the stack, sorted. */
  blocked_by: z.array(z.string()),
  /** Why it became unknown; kept when a late result lands. */
  lost: LostReason.optional(),
})
export type StackContext = z.infer<typeof StackContext>

export const openStack = (input: z.infer<typeof StackInput>): StackContext => ({ ...input, blocked_by: [] })

type Settled = 'planned' | 'applied' | 'noop' | 'failed' | 'unconfirmed' | 'unknown' | 'blocked' | 'skipped'

type Settling = { status: Settled; from?: 'unknown' }

/** Planned, applied and unchanged stacks are all the same to the run: it may go on. */
const outcomeOf = (status: Settled): Outcome =>
  status === 'planned' || status === 'applied' || status === 'noop' ? 'succeeded' : status

/** No job of it ever ran: its lock learns that when the run ends, and until then nothing of it can have changed. */
const neverBegan = (status: Settled): boolean => status === 'blocked' || status === 'skipped'

/** Whether the apply has changed the stack, or may have: the lock has to know. */
const maybeChanged = (status: Settled): boolean => changedByApplyStatuses.some((one) => one === status)

const union = (keys: readonly string[], more: readonly string[]): string[] => [...new Set([...keys, ...more])].sort()

const reported = (event: StackEvent, wanted: 'changes' | 'none' | 'failed' | 'unconfirmed'): boolean => {
  assertEvent(event, 'result.reported')
  return event.outcome === wanted
}

const modeOf = (event: StackEvent): Mode => {
  assertEvent(event, 'stack.started')
  return event.mode
}

/**
 * Tells the run first, since it is locked first; then, in an apply, the lock; then publishes. A plan changes nothing, so its
 * lock is not told.
 */
const settle = enqueueActions<StackContext, StackEvent, Settling, StackEvent, never, NamedAction, never>(
  ({ context, event, enqueue }, { status, from }) => {
    const settled = { type: 'stack.settled', wave: context.wave, outcome: outcomeOf(status) } as const
    enqueue({ type: 'tellRun', params: { event: from ? { ...settled, from } : settled } })
    if (context.mode === 'apply' && status !== 'planned' && !neverBegan(status)) {
      const news = { type: 'stack.settled', outcome: status, by_result: event.type === 'result.reported' } as const
      const { fence } = context
      if (maybeChanged(status)) enqueue({ type: 'tellLock', params: { event: { type: 'stack.changed' } } })
      enqueue({ type: 'tellLock', params: { event: fence ? { ...news, fence } : news } })
    }
    enqueue({ type: 'publishStack', params: undefined })
  },
)

const stackSetup = setup({
  types: { context: {} as StackContext, events: {} as StackEvent, input: {} as StackContext },
  actions: {
    ...named,
    refuse,
    settle,
    keepDigest: assign(({ event }) => {
      assertEvent(event, 'result.reported')
      return { digest: event.digest }
    }),
    keepReason: assign(({ event }) => {
      assertEvent(event, 'runner.lost')
      return { lost: event.reason }
    }),
    keepBlockers: assign(({ context, event }) => {
      assertEvent(event, 'stack.blocked')
      return { blocked_by: union(context.blocked_by, event.by) }
    }),
  },
  guards: {
    'of a plan or drift run': ({ context, event }) => context.mode !== 'apply' && modeOf(event) === context.mode,
    'of an apply run': ({ context, event }) => context.mode === 'apply' && modeOf(event) === 'apply',
    'plan: changes': ({ context, event }) => context.mode !== 'apply' && reported(event, 'changes'),
    'apply: changes': ({ context, event }) => context.mode === 'apply' && reported(event, 'changes'),
    none: ({ event }) => reported(event, 'none'),
    'failure or error': ({ event }) => reported(event, 'failed'),
    unconfirmed: ({ event }) => reported(event, 'unconfirmed'),
    'the recorded result again': ({ context, event }) => {
      assertEvent(event, 'result.reported')
      return event.digest === context.digest
    },
    'more predecessors': ({ context, event }) => {
      assertEvent(event, 'stack.blocked')
      return event.by.some((key) => !context.blocked_by.includes(key))
    },
  },
})

/**
 * Where a result leads. From `unknown` the run is told so, and moves the stack to another count instead of counting it twice.
 */
const lands = <S extends Settled>(status: S, from?: 'unknown') =>
  ({ target: status, actions: ['keepDigest', { type: 'settle', params: { status, ...(from && { from }) } }] }) as const
const planned = (from?: 'unknown') => ({ guard: 'plan: changes', ...lands('planned', from) }) as const
const applied = (from?: 'unknown') => ({ guard: 'apply: changes', ...lands('applied', from) }) as const
const alike = (from?: 'unknown') =>
  [
    { guard: 'none', ...lands('noop', from) },
    { guard: 'failure or error', ...lands('failed', from) },
    { guard: 'unconfirmed', ...lands('unconfirmed', from) },
  ] as const

const lost = {
  target: 'unknown',
  actions: ['keepReason', { type: 'settle', params: { status: 'unknown' } }],
} as const

const skipped = { target: 'skipped', actions: { type: 'settle', params: { status: 'skipped' } } } as const

const refusal = (code: 'conflict' | 'superseded', reason: string) =>
  ({ type: 'refuse', params: { code, reason } }) as const

/** The same result posted again gets the same answer, and nothing is written; any other result comes too late. */
const finished = {
  tags: 'final',
  on: {
    'result.reported': [
      { guard: 'the recorded result again' },
      { actions: refusal('conflict', 'the stack already finished with another result') },
    ],
  },
} as const

/** A stack that never ran in this run: any result for it is a mistake. */
const neverRan = { actions: refusal('conflict', 'the run ended before this stack was due') } as const

/**
 * One stack's row in a run. `unknown` is the only settled state that can still change: nobody saw the end of its job, and a
 * late result is better than none.
 */
export const stackMachine = stackSetup.createMachine({
  id: 'stack',
  context: ({ input }) => input,
  initial: 'pending',
  states: {
    pending: {
      on: {
        'stack.started': [
          { guard: 'of a plan or drift run', target: 'planning' },
          { guard: 'of an apply run', target: 'applying' },
          { actions: refusal('conflict', 'the stack belongs to a run of another mode') },
        ],
        'result.reported': [planned(), applied(), ...alike()],
        'stack.blocked': {
          target: 'blocked',
          actions: ['keepBlockers', { type: 'settle', params: { status: 'blocked' } }],
        },
        'stack.skipped': skipped,
        'run.superseded': 'superseded',
      },
    },
    planning: {
      on: { 'result.reported': [planned(), ...alike()], 'runner.lost': lost, 'run.superseded': 'superseded' },
    },
    applying: {
      on: {
        'result.reported': [applied(), ...alike()],
        'runner.lost': lost,
        // a newer commit came between the start of its wave and the sending: it is certain that nothing was changed
        'stack.skipped': skipped,
      },
    },
    unknown: { on: { 'result.reported': [planned('unknown'), applied('unknown'), ...alike('unknown')] } },
    planned: finished,
    applied: finished,
    noop: finished,
    failed: finished,
    unconfirmed: finished,
    blocked: {
      tags: 'final',
      on: {
        'result.reported': neverRan,
        // A second failure of the same wave may reach a stack that the first one blocked: all failed predecessors are named.
        'stack.blocked': { guard: 'more predecessors', actions: ['keepBlockers', 'publishStack'] },
      },
    },
    skipped: { tags: 'final', on: { 'result.reported': neverRan } },
    superseded: {
      tags: 'final',
      on: { 'result.reported': { actions: refusal('superseded', 'a newer commit replaced the run') } },
    },
  },
})
