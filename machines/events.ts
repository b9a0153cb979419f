import { z } from 'zod'
import { runModes, runTriggers } from '#domain/run-status.ts'

/*
 * Every event that a machine understands, one table a kind. Payloads are kept small because each is journalled, and hold
 * no time but where a machine must remember one: a replay has to come to the same snapshot.
 */

export const Mode = z.enum(runModes)
export const Trigger = z.enum(runTriggers)

/** What a settled stack counts as in its run's tallies: planned, applied and noop are all `succeeded`. */
export const Outcome = z.enum(['succeeded', 'failed', 'unknown', 'blocked', 'skipped', 'unconfirmed'])

/** What a stack of an apply came to, as its lock needs to know it: applied and untouched code differ there. */
const ApplyOutcome = z.enum(['applied', 'noop', 'failed', 'unknown', 'blocked', 'skipped', 'unconfirmed'])

/** Why nobody will report a stack any more (spec, 'States and transitions', the row "runner gone"). */
export const LostReason = z.enum(['workflow_finished', 'not_picked_up', 'dispatch_refused'])

/** Stacks per wave, by wave index; no stack at all is `[]` or zeros. */
const totals = z.array(z.int().nonnegative())
const runId = z.string().min(1)
const pullNumber = z.int().positive()

const stackSettled = z.object({
  type: z.literal('stack.settled'),
  wave: z.int().nonnegative(),
  outcome: Outcome,
  /** Set when a late result lands on a stack that was already counted as unknown. */
  from: z.literal('unknown').optional(),
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
    /** Of the newer head; absent while no job of it has come yet. */
    run_id: runId.optional(),
    sha: z.string().min(1),
  }),
  runDispatchRefused,
])

/** What stacks and dispatches tell their run. */
export const RunNews = z.discriminatedUnion('type', [stackSettled, runDispatchRefused])

const runnerLost = z.object({ type: z.literal('runner.lost'), reason: LostReason })

export const StackEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stack.started'), mode: Mode }),
  z.object({
    type: z.literal('result.reported'),
    outcome: z.enum(['changes', 'none', 'failed', 'unconfirmed']),
    /** Of the whole reported result: the same digest is the same result, posted again. */
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
  /** A job reported it, rather than the service concluding it: only that ends what a manual run holds. */
  by_result: z.boolean(),
  /** Of the acquisition that the apply of the stack stands under. */
  fence: z.int().positive().optional(),
})

/** What a stack of an apply tells its lock; the runtime adds the `run_id` when it delivers. */
export const LockNews = z.discriminatedUnion('type', [stackChanged, applySettled])

const RunEndOutcome = z.enum([...ApplyOutcome.options, 'superseded', 'pending'])
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
    /** This stack's row in the holder's run can still move: the apply of this very stack is out or to come. */
    apply_in_flight: z.boolean(),
  }),
  z.object({ type: z.literal('pull_request.reopened'), pr_number: pullNumber }),
  z.object({
    type: z.literal('run.finished'),
    run_id: runId,
    /** Of the lock's stack; pending or superseded when the run never came to start it (blocked or skipped in a moment). */
    outcome: RunEndOutcome,
  }),
  z.object({
    type: z.literal('release.requested'),
    actor: z.string().min(1),
    reason: z.string().optional(),
    force_state: z.boolean().optional(),
    /** The pull request whose comment asked: it is answered there, once for all of its locks. */
    asked_in: pullNumber.optional(),
  }),
  z.object({ type: z.literal('reminder.due') }),
])

export const DispatchEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dispatch.sent'), workflow_run_id: z.int().positive().optional() }),
  z.object({ type: z.literal('dispatch.refused'), status: z.int(), message: z.string() }),
  z.object({ type: z.literal('resend.due') }),
  z.object({ type: z.literal('workflow.bound'), workflow_run_id: z.int().positive(), attempt: z.int().positive() }),
  z.object({ type: z.literal('workflow.completed'), conclusion: z.string(), attempt: z.int().positive() }),
  z.object({ type: z.literal('runner.lost') }),
])

/** The events that come out of a timer: none carries a payload, since nobody is there to give one. */
export const TimerEvent = z.object({ type: z.enum(['reminder.due', 'resend.due', 'runner.lost']) })

export type Mode = z.infer<typeof Mode>
export type Outcome = z.infer<typeof Outcome>
export type StackNews = z.infer<typeof StackNews>
export type RunEvent = z.infer<typeof RunEvent>
export type StackEvent = z.infer<typeof StackEvent>
export type LockEvent = z.infer<typeof LockEvent>
export type DispatchEvent = z.infer<typeof DispatchEvent>
