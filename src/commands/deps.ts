import type { ArtifactStore } from '#artifacts/port.ts'
import type { Clock } from '#clock.ts'
import type { CodeHost, HostPages } from '#codehost/port.ts'
import type { Lease } from '#db/queue/job-leases.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import type { Reads } from '#db/replica/reads.ts'
import type { FindRepository } from '#db/repositories/repository-look-up.ts'
import type { Pool } from '#db/sql.ts'
import type { Log } from '#log.ts'
import type { Metrics } from '#metrics.ts'
import type { Runtime } from '#runtime/runtime.ts'
import type { RowsOf } from './history/rows-of-archived.ts'
import type { Resolver } from './resolving/resolver.ts'

/** What commands work with; made once in service.ts. */
export type Deps = {
  pool: Pool
  findRepository: FindRepository
  runtime: Runtime
  codehost: CodeHost
  /** Absent if no bucket is configured. */
  artifacts?: ArtifactStore | undefined
  clock: Clock
  /** Waits this many milliseconds, when the code host says 'not yet'. */
  pause: (ms: number) => Promise<unknown>
  log: Log
  metrics: Pick<Metrics, 'commandTaken' | 'dispatched'>
  /** Parses and resolves graphs, in a separate thread if they are large. */
  resolver: Omit<Resolver, 'stop'>
  /** Without a trailing slash. */
  baseUrl: string
}

/**
 * Stores rows that the worker of this process has from the first, without a look at the queue. `store` is called only if the worker has room for so
 * many, and its last look left none; it says which rows it stored with the lease.
 */
export type StoreForWorker = (count: number, store: (lease: Lease) => Promise<JobRow[]>) => Promise<void>

/** What requests need besides, and jobs do not. */
export type RequestDeps = Deps & {
  /** For what is only looked at: a replica, if there is one. */
  reads: Reads
  rowsOf: RowsOf
  /** Absent where no worker runs. */
  storeForWorker?: StoreForWorker
  /** Answers link to the code host. */
  pages: HostPages
}
