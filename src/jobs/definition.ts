import type { z } from 'zod'

/** What one kind of job is: what is stored of it, which jobs count as the same one, and which jobs it waits for. */
export type Definition<In extends object, Out, Of> = {
  /** Parsed when the job is handled: during an upgrade another version of the service may have stored it. */
  payload: z.ZodType<Out, In>
  /** Per kind and key, only one job waits at a time, however often it was asked for. */
  key: (payload: In, of: Of) => string
  /** Per lane, only one job is handled at a time. A job without a lane waits for no other. */
  lane?: (payload: In, of: Of) => string | null
  /** How urgent it is, among the jobs of one installation; those of 'answers' if absent. */
  urgency?: Urgency
  /**
   * The payload of one job in place of two with the same key. Without `join`, the later payload says everything that there is
   * to do.
   */
  join?: (earlier: In, later: In) => In
}

/**
 * Lets the compiler infer the types of a kind: `In` is what is stored, `Out` what a handler gets, `Of` what key and lane are
 * made of besides the payload.
 */
export const define = <In extends object, Out, Of = unknown>(kind: Definition<In, Out, Of>): Definition<In, Out, Of> =>
  kind

export type OfInstallation = { installationId: number }

/** The installation of a job that belongs to none, such as the clock's. */
export const nobody: OfInstallation = { installationId: 0 }

/**
 * What an installation's jobs are for, most urgent first: what somebody waits for must not wait behind 300 check runs, which
 * take minutes at the code host's pace.
 */
export const urgencies = ['dispatches', 'answers', 'runs', 'stacks'] as const

export type Urgency = (typeof urgencies)[number]

/**
 * Writes to one installation go one after another, in lanes: the workflows that are started, the answers to commands, and what is
 * shown of runs; issues about drift have one of their own. The client keeps the pace of all together.
 */
export const laneOf =
  (lane: 'dispatches' | 'answers' | 'shown') =>
  (_: object, { installationId }: OfInstallation): string =>
    `${lane} ${installationId}`
