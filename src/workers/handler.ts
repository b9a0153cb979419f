import type { Fact } from '#codehost/fact.ts'
import type { Deps } from '#commands/deps.ts'
import type { Retention } from '#commands/prune.ts'
import type { JobRow } from '#db/jobs.ts'

/** What handlers work with. */
export type HandlerDeps = Deps & {
  /** What a webhook delivery says, by its event and payload. */
  readDelivery: (event: string, payload: unknown) => Fact
  /** How long what nobody needs for good is kept. */
  retention: Retention
}

/** Aborted when the process is asked to stop, or another has the row: long handlers end between two steps, and go on there. */
export type Stopping = { signal: AbortSignal }

/**
 * Does what a row of the queue says. It may run again after a crash, so it makes true what should be true and does not
 * repeat what it did. `ignored`: a delivery that means nothing here.
 */
export type Handler = (deps: HandlerDeps & Stopping, job: JobRow) => Promise<undefined | 'ignored'>
