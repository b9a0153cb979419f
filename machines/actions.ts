import { z } from 'zod'
import { LockNews, RunNews, StackNews, TimerEvent } from './events.ts'

/*
 * Everything that a machine may ask for. A machine names an action with its parameters and runs nothing: the runtime turns
 * it into a message (`tell`), a job row (`effect`), a timer row (`timer`) or a row of a record (`record`).
 */

const nothing = z.strictObject({})
const holder = { run_id: z.string(), pr_number: z.int().positive().optional() }
const release = {
  ...holder,
  actor: z.string(),
  reason: z.string().optional(),
  force_state: z.boolean(),
}

const tell = <P extends z.ZodObject>(params: P) => ({ sort: 'tell' as const, params })
const effect = <P extends z.ZodObject>(params: P) => ({ sort: 'effect' as const, params })
const timer = <P extends z.ZodObject>(params: P) => ({ sort: 'timer' as const, params })
const record = <P extends z.ZodObject>(params: P) => ({ sort: 'record' as const, params })

/** The table of all actions, by name, each with its sort and the schema of its parameters. */
export const actions = {
  /** The run of this stack or dispatch. */
  tellRun: tell(z.strictObject({ event: RunNews })),
  /** The lock of this stack; delivered with the run's id, so that a lock can tell its holder's news from another's. */
  tellLock: tell(z.strictObject({ event: LockNews })),
  /** All stacks of the run ← stack.started. */
  startStacks: tell(nothing),
  /** The stacks of one wave ← stack.started. */
  startWave: tell(z.strictObject({ wave: z.int().nonnegative() })),
  /** Open stacks (pending, planning) ← run.superseded. */
  supersedeStacks: tell(nothing),
  /** Transitive dependents of every failed, unknown or unconfirmed stack ← stack.blocked {by: all that reach it}. */
  blockDependents: tell(nothing),
  /** Stacks still pending ← stack.skipped. */
  skipRest: tell(nothing),
  /** Open stacks of this dispatch ← runner.lost. */
  tellOpenStacks: tell(z.strictObject({ event: StackNews })),
  /** Locks that the run holds ← run.finished {outcome of their stack}; the run is counted in the metrics. */
  finishRun: tell(nothing),

  publishRun: effect(nothing),
  publishStack: effect(nothing),
  dispatchWave: effect(z.strictObject({ wave: z.int().nonnegative() })),
  dispatchAll: effect(nothing),
  sendDispatch: effect(nothing),
  warnOrphaned: effect(nothing),
  commentUnlocked: effect(z.strictObject({ ...release, pr_number: z.int().positive() })),
  remindHolder: effect(nothing),

  /** Arms the machine's timer of that name; the event comes back as an ordinary one after so many seconds. */
  scheduleTimer: timer(z.strictObject({ name: z.string(), event: TimerEvent, seconds: z.int().positive() })),
  cancelTimer: timer(z.strictObject({ name: z.string() })),

  addWarning: record(z.strictObject({ code: z.literal('dispatch_refused'), message: z.string() })),
  auditUnlock: record(z.strictObject(release)),
}

export type ActionName = keyof typeof actions
export type ParamsOf<N extends ActionName> = z.infer<(typeof actions)[N]['params']>
export type Action = { [N in ActionName]: { type: N; params: ParamsOf<N> } }[ActionName]

/** Why a machine says no: the code is the one that the caller is answered with (spec, 'Errors'). */
export const Refusal = z.strictObject({
  code: z.enum(['conflict', 'superseded', 'locked', 'forbidden']),
  reason: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type Refusal = z.infer<typeof Refusal>
