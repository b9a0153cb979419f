import { z } from 'zod'
import { LockNews, RunNews, StackNews, TimerEvent } from './events.ts'

/*
 * Everything that a machine may ask for. A machine names an action with its parameters and runs nothing: the runtime does. An
 * action's sort says which part of the runtime: messages to other machines (`tell`), a job about the run (`job`), what is
 * written and said about a lock (`notice`), a timer row (`timer`) or a warning of the run (`warning`).
 */

const nothing = z.strictObject({})
const holder = { run_id: z.string(), pr_number: z.int().positive().optional() }
const release = {
  ...holder,
  actor: z.string(),
  reason: z.string().optional(),
  force_state: z.boolean(),
}

const sorted =
  <S extends string>(sort: S) =>
  <P extends z.ZodObject>(params: P) => ({ sort, params })

const tell = sorted('tell')
const job = sorted('job')
const notice = sorted('notice')
const timer = sorted('timer')
const warning = sorted('warning')

/** The table of all actions, by name, each with its sort and the schema of its parameters. */
export const actions = {
  /** The run of this stack or dispatch. */
  tellRun: tell(z.strictObject({ event: RunNews })),
  /** The lock of this stack; delivered with the run's id, by which a lock recognises news from its holder. */
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
  /** Open stacks of this dispatch, or those under way of this run ← runner.lost. */
  tellOpenStacks: tell(z.strictObject({ event: StackNews })),
  /** Locks that the run holds ← run.finished {outcome of their stack}; the run is counted in the metrics. */
  finishRun: tell(nothing),

  publishRun: job(nothing),
  publishStack: job(nothing),
  dispatchWave: job(z.strictObject({ wave: z.int().nonnegative() })),
  dispatchAll: job(nothing),
  sendDispatch: job(nothing),
  /** Whether the wave in progress may begin ← wave.cleared or wave.held. */
  askWindow: job(nothing),

  warnOrphaned: notice(nothing),
  auditUnlock: notice(z.strictObject(release)),
  commentUnlocked: notice(z.strictObject({ ...release, pr_number: z.int().positive() })),
  remindHolder: notice(nothing),

  /** Arms the machine's timer of that name; the event arrives as an ordinary one after so many seconds. */
  scheduleTimer: timer(z.strictObject({ name: z.string(), event: TimerEvent, seconds: z.int().positive() })),
  cancelTimer: timer(z.strictObject({ name: z.string() })),

  addWarning: warning(z.strictObject({ code: z.enum(['dispatch_refused', 'wave_held']), message: z.string() })),
}

export type ActionName = keyof typeof actions
export type ParamsOf<N extends ActionName> = z.infer<(typeof actions)[N]['params']>
export type Action = { [N in ActionName]: { type: N; params: ParamsOf<N> } }[ActionName]

type Sorts = { [N in ActionName]: (typeof actions)[N]['sort'] }
export type Sort = Sorts[ActionName]
/** The actions of one sort. Code that carries them out must handle each of them, or it does not compile. */
export type ActionOf<S extends Sort> = {
  [N in ActionName]: Sorts[N] extends S ? Extract<Action, { type: N }> : never
}[ActionName]

/** Whether the table lists the action under this sort. */
export const isOf = <S extends Sort>(sort: S, action: Action): action is ActionOf<S> =>
  actions[action.type].sort === sort

/** Why a machine refuses: the code is the one in the caller's answer (docs/interface.md, 'Errors'). */
export const Refusal = z.strictObject({
  code: z.enum(['conflict', 'superseded', 'locked', 'forbidden']),
  reason: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})
export type Refusal = z.infer<typeof Refusal>
