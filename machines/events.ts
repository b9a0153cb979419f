import { z } from 'zod'
import { lostReasons } from '#domain/lost-reason.ts'
import { endedStackStatuses, runModes, runTriggers } from '#domain/run-status.ts'

/*
 * Every event that a machine understands, one table a kind. Payloads are small because each is journalled. They hold a time
 * only if a machine must remember it: a replay has to yield the same snapshot.
 */

export const Mode = z.enum(runModes)
export const Trigger = z.enum(runTriggers)

/** What a settled stack counts as in its run's tallies: planned, applied and noop are all `succeeded`. */
export const Outcome = z.enum(['succeeded', 'failed', 'unknown', 'blocked', 'skipped', 'unconfirmed'])

/** The outcome of a stack of an apply, as its lock needs it: applied and unchanged stacks differ there. */
const ApplyOutcome = z.enum(endedStackStatuses).exclude(['superseded', 'pending'])

/** Why no report of a stack will come any more (docs/interface.md, 'States'). */
export const LostReason = z.enum(lostReasons)

/** Stacks per wave, by wave index; without any stack, `[]` or zeros. */
const totals = z.array(z.int().nonnegative())
const runId = z.string().min(1)
const pullNumber = z.int().positive()

const stackSettled = z.object({
  type: z.literal('stack.settled'),
  wave: z.int().nonnegative(),
  outcome: Outcome,
  /** Set when a late result lands on a stack that was already counted as unknown. */
  from: z.literal('unknown').optional(),
  /** So many stacks of the wave at once; one unless given. */
  stacks: z.int().positive().optional(),
})
const runDispatchRefused = z.object({ type: z.literal('dispatch.refused'), message: z.string() })

export const RunEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('graph.resolved'), tallies: totals }),
  z.object({
    type: z.literal('resolution.failed'),
    reason: z.string(),
    cycles: z.array(z.string()).optional(),
  }),
  z.object({ type: z.literal('replan.requested'), tallies: totals }),
  z.object({ type: z.literal('apply.requested'), tallies: totals }),
  stackSettled,
  z.object({
    type: z.literal('head.replaced'),
    /** The newer head's run; absent while no job of it has come yet. */
    run_id: runId.optional(),
    sha: z.string().min(1),
  }),
  runDispatchRefused,
  /** The wave may begin: no window that holds waves is in the way. */
  z.object({ type: z.literal('wave.cleared'), wave: z.int().nonnegative() }),
  /** The wave has to wait; asked again after so many seconds. */
  z.object({
    type: z.literal('wave.held'),
    wave: z.int().nonnegative(),
    seconds: z.int().positive(),
    message: z.string(),
  }),
  z.object({ type: z.literal('window.due') }),
  /** The caller of a manual run has reported nothing for as long as it said. */
  z.object({ type: z.literal('runner.lost') }),
])

/** What stacks and dispatches tell their run. */
export const RunNews = z.discriminatedUnion('type', [stackSettled, runDispatchRefused])

const runnerLost = z.object({ type: z.literal('runner.lost'), reason: LostReason })

export const StackEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stack.started'), mode: Mode }),
  z.object({
    type: z.literal('result.reported'),
    outcome: z.enum(['changes', 'none', 'failed', 'unconfirmed']),
    /** Digest of the whole reported result: the same digest is the same result, posted again. */
    digest: z.string().min(1),
  }),
  z.object({ type: z.literal('stack.blocked'), by: z.array(z.string()).min(1) }),
  z.object({ type: z.literal('stack.skipped') }),
  z.object({ type: z.literal('run.superseded') }),
  runnerLost,
])

/** What a dispatch tells the stacks that it was to run. */
export const StackNews = runnerLost

const stackChanged = z.object({ type: z.literal('stack.changed') })
const applySettled = z.object({
  type: z.literal('stack.settled'),
  outcome: ApplyOutcome,
  /** A job reported it; it was not concluded by the service. Only a report ends what a manual run holds. */
  by_result: z.boolean(),
  /** The fence of the acquisition that the apply of the stack relies on. */
  fence: z.int().positive().optional(),
})

/** What a stack of an apply tells its lock; the runtime adds the `run_id` when it delivers. */
export const LockNews = z.discriminatedUnion('type', [stackChanged, applySettled])

/** The status of a lock's stack when the apply that holds the lock has ended. */
export const RunEndOutcome = z.enum(endedStackStatuses)
export type RunEndOutcome = z.infer<typeof RunEndOutcome>

export const LockEvent = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('lock.requested'),
      run_id: runId,
      pr_number: pullNumber.optional(),
      manual: z.boolean().optional(),
      on_merge: z.boolean().optional(),
      /** Seconds until the holder is reminded (svc.yml, `locks.remind_after`); a day unless given. */
      remind_after: z.int().positive().optional(),
      at: z.iso.datetime({ offset: true }),
    })
    .refine((e) => (e.pr_number !== undefined) !== (e.manual === true), 'needs pr_number, or manual: true, not both'),
  stackChanged.extend({ run_id: runId }),
  applySettled.extend({ run_id: runId }),
  z.object({
    type: z.literal('pull_request.closed'),
    pr_number: pullNumber,
    merged: z.boolean(),
    /** This stack's row in the holder's run can still change: the apply of this very stack is under way or to come. */
    apply_in_flight: z.boolean(),
  }),
  z.object({ type: z.literal('pull_request.reopened'), pr_number: pullNumber }),
  z.object({
    type: z.literal('run.finished'),
    run_id: runId,
    outcome: RunEndOutcome,
  }),
  z.object({
    type: z.literal('release.requested'),
    actor: z.string().min(1),
    reason: z.string().optional(),
    force_state: z.boolean().optional(),
    /** The pull request whose comment asked: the answer goes there, once for all of its locks. */
    asked_in: pullNumber.optional(),
  }),
  z.object({ type: z.literal('reminder.due') }),
])

export const DispatchEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dispatch.sent'), workflow_run_id: z.int().positive().optional() }),
  z.object({
    type: z.literal('dispatch.refused'),
    status: z.int(),
    message: z.string(),
    /** The code host's own word when it takes requests again; seconds. */
    retry_after: z.number().positive().optional(),
  }),
  z.object({ type: z.literal('resend.due') }),
  z.object({ type: z.literal('workflow.bound'), workflow_run_id: z.int().positive(), attempt: z.int().positive() }),
  z.object({
    type: z.literal('workflow.completed'),
    conclusion: z.string(),
    attempt: z.int().positive(),
    /** The one that ended; absent in journals from before it was told. */
    workflow_run_id: z.int().positive().optional(),
  }),
  z.object({ type: z.literal('runner.lost') }),
])

/** The events that timers send: none carries a payload, since nobody is there to provide one. */
export const TimerEvent = z.object({ type: z.enum(['reminder.due', 'resend.due', 'runner.lost', 'window.due']) })

export type Mode = z.infer<typeof Mode>
export type Outcome = z.infer<typeof Outcome>
export type StackNews = z.infer<typeof StackNews>
export type LockNews = z.infer<typeof LockNews>
export type RunEvent = z.infer<typeof RunEvent>
export type StackEvent = z.infer<typeof StackEvent>
export type LockEvent = z.infer<typeof LockEvent>
export type DispatchEvent = z.infer<typeof DispatchEvent>
