import type { Fact } from '#codehost/fact.ts'
import type { Deps } from '#commands/deps.ts'
import type { Retention } from '#commands/patrol/prune.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import type { JobKind, Payload } from '#jobs/job.ts'

/** What handlers work with. */
export type HandlerDeps = Deps & {
  /** Reads what a webhook delivery says, from its event and payload. */
  readDelivery: (event: string, payload: unknown) => Fact
  /** How long temporary data is kept. */
  retention: Retention
  /** How often a run is published at most while it goes on, because of its stacks. */
  publishEveryMs: number
}

/**
 * Aborted when the process is asked to stop, or another worker has the row: long handlers stop between two steps, and continue
 * there next time.
 */
export type Stopping = { signal: AbortSignal }

/**
 * Carries out a row of the queue. It may run again after a crash, so it brings about a state and does not repeat what is done.
 * `ignored`: the row means nothing here, or there was nothing to do.
 */
export type Handler = (deps: HandlerDeps & Stopping, job: JobRow) => Promise<undefined | 'ignored'>

/** Carries out a job of one kind, under the same terms. False: there was nothing to do. */
export type JobHandler<K extends JobKind> = (
  deps: HandlerDeps & Stopping,
  payload: Payload<K>,
  job: JobRow,
) => Promise<boolean> | Promise<void>
