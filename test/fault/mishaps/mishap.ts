import type { Fault } from '#emulator/faults/fault.ts'

/** A part of the story: from the opening of the pull request, from the command, from the merge. */
export type Phase = 'plan' | 'apply' | 'merge'

/** How the runner of a stack's job behaves if it does more than join, report and complete. */
export type Behaviour =
  | 'dies'
  | 'dies, then reports'
  | 'dies, is re-run'
  | 'sends all twice'
  | 'comes late'
  | 'never comes'

/** The stacks without a report in time, and the waves without a workflow run that ended: the tables ask for no more. */
export type Loss = {
  /** Stacks without a result before their workflow run, or their dispatch, was given up. */
  unreported?: readonly string[]
  /** Those whose result came after all. */
  late?: readonly string[]
  /** Waves that never had a workflow run. */
  neverRan?: readonly number[]
}

/** Something that goes wrong during an apply, and the end it must have by the tables. */
export type Mishap = {
  name: string
  from: Phase
  faults?: readonly Fault[]
  /** How long the faults last; by default until they have struck as often as they say, or to the end of the story. */
  lastsMinutes?: number
  /** By the last part of the stack's key. */
  runners?: Readonly<Record<string, Behaviour>>
  /** None: it ends as if nothing had gone wrong. */
  loss?: Loss
}
