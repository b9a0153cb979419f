import { assertEvent, assign, setup } from 'xstate'
import { z } from 'zod'
import { doneByApplyStatuses, type StackStatus, untouchedStatuses } from '#domain/run-status.ts'
import type { ParamsOf, Refusal } from './actions.ts'
import type { LockEvent } from './events.ts'
import { named, refuse } from './named.ts'

/** Seconds until a holder is reminded, unless the configuration says otherwise (`locks.remind_after`). */
const remindAfter = 24 * 60 * 60

export const LockInput = z.strictObject({})

export const LockContext = z.strictObject({
  /** Raised by every acquisition and never lowered: it distinguishes a result from before an unlock from one after it. */
  fence: z.int().nonnegative(),
  run_id: z.string().optional(),
  pr_number: z.int().positive().optional(),
  manual: z.boolean(),
  /** The pull request is merged: its apply brings the stack to what the default branch says. */
  merged: z.boolean(),
  /** The holder's apply of the stack ended unseen: closing the pull request does not free the lock, somebody must look. */
  unknown: z.boolean(),
  /** When the pull request or manual run first took it, RFC 3339. */
  taken_at: z.string().optional(),
  /** Seconds from the acquisition, and from each reminder, to the next reminder. */
  remind_after: z.int().positive(),
})
export type LockContext = z.infer<typeof LockContext>

/** What a free lock remembers besides its fence. */
const free = { manual: false, merged: false, unknown: false, remind_after: remindAfter }

export const openLock = (_: z.infer<typeof LockInput>): LockContext => ({ fence: 0, ...free })

type Told = Extract<LockEvent, { type: 'stack.changed' | 'stack.settled' | 'run.finished' }>

const told = (event: LockEvent): Told => {
  assertEvent(event, ['stack.changed', 'stack.settled', 'run.finished'])
  return event
}

/** News of another run, or of this one from before an unlock, does not concern the present holder. */
const ours = (context: LockContext, event: LockEvent): boolean => {
  const news = told(event)
  const fence = news.type === 'stack.settled' ? news.fence : undefined
  return news.run_id === context.run_id && (fence === undefined || fence === context.fence)
}

const cameTo = (event: LockEvent, outcomes: readonly StackStatus[]): boolean => {
  const news = told(event)
  return news.type !== 'stack.changed' && outcomes.some((outcome) => outcome === news.outcome)
}

const samePull = (context: LockContext, event: LockEvent): boolean =>
  context.pr_number !== undefined && 'pr_number' in event && event.pr_number === context.pr_number

const closed = (context: LockContext, event: LockEvent, merged: boolean, in_flight: boolean): boolean => {
  assertEvent(event, 'pull_request.closed')
  return samePull(context, event) && event.merged === merged && event.apply_in_flight === in_flight
}

const acquire = (context: LockContext, event: LockEvent): Partial<LockContext> => {
  assertEvent(event, 'lock.requested')
  const again = samePull(context, event)
  return {
    run_id: event.run_id,
    pr_number: event.pr_number,
    manual: event.manual === true,
    merged: event.on_merge === true,
    unknown: again && context.unknown,
    fence: context.fence + 1,
    taken_at: again ? context.taken_at : event.at,
    remind_after: event.remind_after ?? remindAfter,
  }
}

/** 423 with one lock's entry in `details.conflicts` (docs/interface.md, 'Errors'); the runtime adds the stack's id and key. */
export const heldByAnother = ({ run_id, pr_number, taken_at }: LockContext): Refusal => ({
  code: 'locked',
  reason: pr_number === undefined ? `locked by run ${run_id}` : `locked by pull request #${pr_number} (run ${run_id})`,
  details: { run_id, ...(pr_number !== undefined && { pr_number }), taken_at },
})

/** Who held the lock and who released it, for the audit and for the comment to the holder. */
export const releaseOf = (context: LockContext, event: LockEvent): ParamsOf<'auditUnlock'> => {
  assertEvent(event, 'release.requested')
  return {
    run_id: context.run_id ?? '',
    ...(context.pr_number !== undefined && { pr_number: context.pr_number }),
    actor: event.actor,
    ...(event.reason !== undefined && { reason: event.reason }),
    force_state: event.force_state === true,
  }
}

/** The pull request that holds the lock; called only if the guard has seen one. */
export const pullOf = ({ pr_number }: LockContext): number => {
  if (pr_number === undefined) throw new Error('a manual run holds the lock: there is no pull request to notify')
  return pr_number
}

/** What the statechart of a lock may name: its context, its own assignments, and its guards (lock.ts has the states). */
export const lockSetup = setup({
  types: { context: {} as LockContext, events: {} as LockEvent, input: {} as LockContext },
  actions: {
    ...named,
    refuse,
    acquire: assign(({ context, event }) => acquire(context, event)),
    clear: assign({ ...free, run_id: undefined, pr_number: undefined, taken_at: undefined }),
    noteMerged: assign({ merged: true }),
    noteOutcome: assign(({ context, event }) => {
      const news = told(event)
      if (news.type !== 'stack.settled') return {}
      return { unknown: news.outcome === 'unknown' || (context.unknown && !news.by_result) }
    }),
  },
  guards: {
    manual: ({ event }) => 'manual' in event && event.manual === true,
    'on merge': ({ event }) => 'on_merge' in event && event.on_merge === true,
    'the same run': ({ context, event }) => 'run_id' in event && event.run_id === context.run_id,
    'its pull request': ({ context, event }) => samePull(context, event),
    'its pull request, stack unknown': ({ context, event }) => context.unknown && samePull(context, event),
    'the same pull request': ({ context, event }) => samePull(context, event),
    'the same pull request, on merge': ({ context, event }) =>
      samePull(context, event) && 'on_merge' in event && event.on_merge === true,
    'merged, no apply in flight': ({ context, event }) => closed(context, event, true, false),
    'merged, no apply in flight, stack unknown': ({ context, event }) =>
      context.unknown && closed(context, event, true, false),
    'merged, apply in flight': ({ context, event }) => closed(context, event, true, true),
    'unmerged, apply in flight': ({ context, event }) => closed(context, event, false, true),
    "its holder's run": ({ context, event }) => ours(context, event),
    'applied or noop': ({ context, event }) => ours(context, event) && cameTo(event, doneByApplyStatuses),
    'never ran: pending, blocked, skipped or superseded': ({ context, event }) =>
      !context.unknown && ours(context, event) && cameTo(event, untouchedStatuses),
    'merged; applied or noop after all': ({ context, event }) =>
      context.merged && ours(context, event) && cameTo(event, doneByApplyStatuses),
    'by a result': ({ context, event }) => ours(context, event) && 'by_result' in event && event.by_result,
    'held by a pull request that is to be told': ({ context, event }) =>
      context.pr_number !== undefined && !('asked_in' in event && event.asked_in === context.pr_number),
  },
})
