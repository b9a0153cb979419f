import type { Fault } from '#emulator/faults/fault.ts'

/** A part of the story: from the opening of the pull request, from the command, from the merge. */
export type Phase = 'plan' | 'apply' | 'merge'

/** How the runner of a stack's job behaves, where it does not just join, report and complete. */
export type Behaviour =
  | 'dies'
  | 'dies, then reports'
  | 'dies, is re-run'
  | 'sends all twice'
  | 'comes late'
  | 'never comes'

/** What nobody reports in time, and which waves had a workflow run that ended: that is all the tables ask for. */
export type Loss = {
  /** Stacks of which no result came before their workflow run, or their dispatch, was given up. */
  unreported?: readonly string[]
  /** Those of them whose result came after all. */
  late?: readonly string[]
  /** Waves for which no workflow run ever was. */
  neverRan?: readonly number[]
}

/** Something that goes wrong on the way of an apply, and what the tables say of its end. */
export type Mishap = {
  name: string
  from: Phase
  faults?: readonly Fault[]
  /** How long the faults stand; until they struck as often as they say without, or to the end of the story. */
  lastsMinutes?: number
  /** By the last part of the stack's key. */
  runners?: Readonly<Record<string, Behaviour>>
  /** None: it ends as if nothing had gone wrong. */
  loss?: Loss
}
