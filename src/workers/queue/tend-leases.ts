import type { Clock } from '#clock.ts'
import { releaseExpired, renewLeases } from '#db/queue/job-leases.ts'
import type { Pool } from '#db/sql.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Log } from '#log.ts'
import type { Slots } from './slots.ts'

export type TendLeasesOptions = {
  pool: Pool
  clock: Clock
  log: Log
  worker: string
  leaseSeconds: number
  slots: Pick<Slots, 'ids' | 'keep'>
  /** Rows of a dead worker wait for another. */
  onReleased(): void
}

/** Three times in a lease: renews the leases of the worker's rows, and puts back the rows of workers that did not. */
export const tendLeases = (options: TendLeasesOptions): { stop(): void } => {
  const { pool, clock, log, worker, leaseSeconds, slots } = options
  const tend = async (): Promise<void> => {
    const own = slots.ids()
    const now = clock.now()
    if (own.length > 0) slots.keep(own, await renewLeases(pool, worker, own, { now, leaseSeconds }))
    // a process that hung past its own leases keeps the rows that no other worker took
    const released = await releaseExpired(pool, { now: clock.now(), attempts: queueAttempts, own })
    if (released === 0) return
    log.warn({ released }, 'took back jobs of a worker that is gone')
    options.onReleased()
  }
  const tendSafely = (): void => void tend().catch((error) => log.warn({ err: error }, 'leases cannot be renewed'))
  const tending = setInterval(tendSafely, (leaseSeconds * 1000) / 3)
  tendSafely()
  return { stop: () => clearInterval(tending) }
}
