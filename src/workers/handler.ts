import type { Clock } from '#clock.ts'
import type { Fact } from '#codehost/fact.ts'
import type { CodeHost } from '#codehost/port.ts'
import type { JobRow } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'
import type { Log } from '#log.ts'
import type { Runtime } from '#runtime/runtime.ts'

/** What handlers work with. */
export type HandlerDeps = {
  pool: Pool
  runtime: Runtime
  codehost: CodeHost
  clock: Clock
  log: Log
  baseUrl: string
  /** What a webhook delivery says, by its event and payload. */
  readDelivery: (event: string, payload: unknown) => Fact
}

/** Aborted when the process is asked to stop, or another has the row: long handlers end between two steps, and go on there. */
export type Stopping = { signal: AbortSignal }

/**
 * Does what a row of the queue says. It may run again after a crash, so it makes true what should be true and does not
 * repeat what it did. `ignored`: a delivery that means nothing here.
 */
export type Handler = (deps: HandlerDeps & Stopping, job: JobRow) => Promise<undefined | 'ignored'>

/** Trying again cannot help: the row is buried at once, with this message. */
export class Terminal extends Error {}
