import type { NewJob } from '#db/jobs.ts'
import type { RunStackRow } from '#db/run-stacks.ts'
import type { RunRow } from '#db/runs.ts'
import type { RunStackView } from '#db/views/run-stack-view.ts'
import type { Problem } from '#errors.ts'
import type { Address } from './address.ts'

/** Any machine's event; which ones a machine takes, and with what, is its own affair. */
export type MachineEvent = { type: string; [field: string]: unknown }

/** What a job reported beside the event: stored with the transition, so that the event itself stays small. */
export type ResultDocument = {
  body: object
  planText: string | null
  /** What is to be done with it outside the database; queued with it. */
  jobs?: NewJob[]
}

/** What the row lock guards, for a permission that must hold at the moment of the transition. */
export type Facts = { run: RunRow | undefined; stack: RunStackRow | undefined }

/** In whose name something is done: the journal keeps both. */
export type Who = {
  /** `runner`, `apikey:<name>`, a login, `system`. */
  actor: string
  /** Id of the request, delivery or job that caused it. */
  cause?: string | null | undefined
}

export type Message = Who & {
  to: Address
  event: MachineEvent
  /** An event with a key is applied once, however often it is delivered. */
  key?: string
  document?: (facts: Facts) => ResultDocument
  /** Judges under the lock, and before anything is written, whether the sender may. */
  permit?: (facts: Facts) => Problem | undefined
  /** Answer with the stack's row as the API shows it. */
  wantsView?: boolean
}

export type Answer = {
  outcome: 'moved' | 'unchanged' | 'refused' | 'missing'
  /** The machine's public status afterwards; absent when missing. */
  status?: string
  problem?: Problem
  view?: RunStackView
}
