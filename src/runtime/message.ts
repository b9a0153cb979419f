import type { RunStackRow } from '#db/machines/run-stacks.ts'
import type { RunRow } from '#db/machines/runs.ts'
import type { ShownRunStack } from '#db/views/runs/run-stack-view.ts'
import type { KeptResult } from '#domain/result.ts'
import type { Problem } from '#errors.ts'
import type { Job } from '#jobs/job.ts'
import type { EventOf, Kind } from '#machines/index.ts'
import type { AddressOf } from './address.ts'

export type { EventOf } from '#machines/index.ts'

/** What a job reported in addition to the event: stored with the transition, which keeps the event itself small. */
export type ResultDocument = {
  body: KeptResult
  plan_text: string | null
  /** Jobs for the work outside the database; queued with the result. */
  jobs?: Job[]
}

/** What the row lock guards, for a permission that must be valid at the moment of the transition. */
export type Facts = { run: RunRow | undefined; stack: RunStackRow | undefined }

/** In whose name something is done, and why: the journal keeps both. */
export type Who = {
  /** `runner`, `apikey:<name>`, a login, `system`. */
  actor: string
  /** The code host's number of the actor's account, where it is a person and the audit log has to know. */
  account?: number | undefined
  /** Id of the request, delivery or job that caused it. */
  cause?: string | null | undefined
}

/** How a message is handled, whatever its event. */
type Handling = {
  /** An event with a key is applied once, however often it is delivered. */
  key?: string
  document?: (facts: Facts) => ResultDocument
  /** Decides under the lock, before anything is written, whether the sender may. */
  permit?: (facts: Facts) => Problem | undefined
  /** Return the stack's row as the API shows it. */
  wantsView?: boolean
  /** Whose machine it is, if the sender knows; otherwise that is looked up. */
  installationId?: number | undefined
}

/** A message to a machine of one kind, with an event that the kind knows. */
export type MessageTo<K extends Kind> = { [P in K]: Who & Handling & { to: AddressOf<P>; event: EventOf<P> } }[K]

/** A message to some machine: a union by kind, so an event of another kind's machine does not compile. */
export type Message = MessageTo<Kind>

export type Answer = {
  outcome: 'moved' | 'unchanged' | 'refused' | 'missing'
  /** The machine's public status afterwards; absent if there is no machine. */
  status?: string
  problem?: Problem
  view?: ShownRunStack
}
