import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import { claimJobs } from '#db/claim-jobs.ts'
import { handBack, releaseExpired, releaseStrays, renewLeases } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Log } from '#log.ts'
import { createSlots, type RunJob } from './slots.ts'

export type Worker = {
  /** There may be something to do. */
  wake(): void
  /** Takes nothing more, and resolves when what is running has ended. */
  stop(): Promise<void>
}

export type WorkerOptions = {
  pool: Pool
  clock: Clock
  log: Log
  concurrency: number
  runJob: RunJob
  /** A worker that dies leaves its rows to others after this long; renewed three times as often. */
  leaseSeconds: number
  pollMs?: number
}

/** Rows that were taken ahead of their turn and wait for it this long are given back, for others to take. */
const patienceMs = 1000

/**
 * Takes rows of the queue that are due and runs up to `concurrency` of them at once. A wake-up makes it quick, the poll
 * makes it certain: what another process queued, what became due, what a dead worker left.
 */
export const startWorker = (options: WorkerOptions): Worker => {
  const { pool, clock, log, concurrency, runJob, leaseSeconds, pollMs = 1000 } = options
  const id = randomUUID()
  let stopping = false
  let woken = Promise.withResolvers<void>()
  const wake = (): void => woken.resolve()
  const slots = createSlots({ worker: id, concurrency, runJob, onRoom: wake })

  /** The database was away: what ended meanwhile could not be written, and what was taken may not have been heard of. */
  let mayHaveStrays = false

  /** Whether there may be more at once: as many came as there was room for. */
  const take = async (): Promise<boolean> => {
    if (mayHaveStrays) await releaseStrays(pool, id, { own: slots.ids(), attempts: queueAttempts })
    mayHaveStrays = false
    await handBack(pool, id, slots.takeWaiting(patienceMs))
    const limit = slots.room()
    if (limit === 0) return false
    const jobs = await claimJobs(pool, { worker: id, limit, leaseSeconds, now: clock.now() })
    slots.add(jobs)
    return jobs.length === limit
  }

  const loop = async (): Promise<void> => {
    while (!stopping) {
      woken = Promise.withResolvers<void>()
      const isMore = await take().catch((error) => {
        log.warn({ err: error }, 'the queue cannot be read')
        mayHaveStrays = true
        return false
      })
      if (!isMore && !stopping) await atMost(pollMs, woken.promise)
    }
  }

  const tend = async (): Promise<void> => {
    const own = slots.ids()
    const until = new Date(clock.now().getTime() + leaseSeconds * 1000)
    if (own.length > 0) slots.keep(own, await renewLeases(pool, id, own, until))
    // a process that stood still past its own leases has what nobody else took of it
    const released = await releaseExpired(pool, { now: clock.now(), attempts: queueAttempts, own })
    if (released > 0) {
      log.warn({ released }, 'took back jobs of a worker that is gone')
      wake()
    }
  }
  const tendSafely = (): void => void tend().catch((error) => log.warn({ err: error }, 'leases cannot be renewed'))

  const done = loop()
  const tending = setInterval(tendSafely, (leaseSeconds * 1000) / 3)
  tendSafely()
  return {
    wake,
    stop: async () => {
      stopping = true
      slots.abort()
      wake()
      await done
      await handBack(pool, id, slots.takeWaiting(0)).catch((error) => {
        log.warn({ err: error }, 'what was taken cannot be given back before its lease runs out')
      })
      await slots.ended()
      // not before: what takes longer than a lease to end is still ours
      clearInterval(tending)
    },
  }
}

/** Resolves with the promise, or after so many milliseconds; does not keep the process. */
const atMost = (ms: number, promise: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    void promise.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
