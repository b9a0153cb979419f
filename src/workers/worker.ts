import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#clock.ts'
import { claimJobs } from '#db/claim-jobs.ts'
import { type JobRow, releaseExpired, renewLeases } from '#db/jobs.ts'
import type { Pool } from '#db/sql.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Log } from '#log.ts'

/** Does a row and ends it; never rejects. */
export type RunJob = (worker: string, job: JobRow, signal: AbortSignal) => Promise<void>

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

/** `lost`: another worker has the row by now, as the lease ran out while this process stood still. */
type Running = { work: Promise<void>; lost: AbortController }

/**
 * Takes rows of the queue that are due and runs up to `concurrency` of them at once. A wake-up makes it quick, the poll
 * makes it certain: what another process queued, what became due, what a dead worker left.
 */
export const startWorker = (options: WorkerOptions): Worker => {
  const { pool, clock, log, concurrency, runJob, leaseSeconds, pollMs = 1000 } = options
  const id = randomUUID()
  const running = new Map<number, Running>()
  const stopping = new AbortController()
  let woken = Promise.withResolvers<void>()

  const wake = (): void => woken.resolve()

  const take = async (): Promise<number> => {
    const limit = concurrency - running.size
    if (limit <= 0) return 0
    const jobs = await claimJobs(pool, { worker: id, limit, leaseSeconds, now: clock.now() })
    for (const job of jobs) {
      const lost = new AbortController()
      const work = runJob(id, job, AbortSignal.any([stopping.signal, lost.signal])).finally(() => {
        running.delete(job.id)
        wake()
      })
      running.set(job.id, { work, lost })
    }
    return jobs.length
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers<void>()
      const taken = await take().catch((error) => {
        log.warn({ err: error }, 'the queue cannot be read')
        return 0
      })
      if (taken === 0 && !stopping.signal.aborted)
        await Promise.race([woken.promise, wait(pollMs, undefined, { ref: false })])
    }
  }

  const tend = async (): Promise<void> => {
    const own = [...running.keys()]
    const until = new Date(clock.now().getTime() + leaseSeconds * 1000)
    const kept = own.length > 0 ? await renewLeases(pool, id, own, until) : new Set<number>()
    for (const job of own) if (!kept.has(job)) running.get(job)?.lost.abort()
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
      stopping.abort()
      wake()
      await done
      await Promise.all([...running.values()].map(({ work }) => work))
      // not before: what takes longer than a lease to end is still ours
      clearInterval(tending)
    },
  }
}
