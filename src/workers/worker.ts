import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import { handBack, releaseStrays } from '#db/job-leases.ts'
import { openQueueSession } from '#db/queue-session.ts'
import type { Pool } from '#db/sql.ts'
import { createWakeOthers } from '#db/wake-others.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Log } from '#log.ts'
import { createClaims } from './claims.ts'
import { startLoop } from './loop.ts'
import { createSlots, type RunJob } from './slots.ts'
import { tendLeases } from './tend-leases.ts'

export type Worker = {
  /** This process queued something: the worker takes it, and where it has no room it tells those of other processes. */
  wake(): void
  /** Takes nothing more, and resolves when what is running has ended. */
  stop(): Promise<void>
}

export type WorkerOptions = {
  pool: Pool
  /** For a session of its own, on which it takes rows and hears of other processes. */
  databaseUrl: string
  clock: Clock
  log: Log
  concurrency: number
  runJob: RunJob
  /** A worker that dies leaves its rows to others after this long; renewed three times as often. */
  leaseSeconds: number
  pollMs?: number
  /** Told around every statement of the session. */
  seam?: (step: string) => void
}

/** Rows that were taken ahead of their turn and wait for it this long are given back, for others to take. */
const patienceMs = 1000

/**
 * Takes rows of the queue that are due and runs up to `concurrency` of them at once. A wake-up makes it quick, by this
 * process or by another that has no room for what it queued; the poll makes it certain: what became due, what a dead worker
 * left, what nobody could be told of.
 */
export const startWorker = (options: WorkerOptions): Worker => {
  const { pool, clock, log, concurrency, runJob, leaseSeconds, pollMs = 1000 } = options
  const id = randomUUID()
  let stopping = false
  const look = (): void => loop.look()
  const slots = createSlots({ worker: id, concurrency, runJob, onRoom: look })
  const wakeOthers = createWakeOthers(pool, id, log)
  const session = openQueueSession(options, (from) => (from === id ? undefined : hear()))
  const claims = createClaims({ session, worker: id, leaseSeconds, clock, slots })
  const hear = (): void => {
    claims.hear()
    look()
  }

  /** This process queued something, and has not seen yet that nothing of it is left. */
  let isQueued = false
  const wake = (): void => {
    isQueued = true
    if (stopping) wakeOthers()
    else hear()
  }

  /** The database was away: what ended meanwhile could not be written, and what was taken may not have been heard of. */
  let mayHaveStrays = false

  /** Whether there may be more at once: as many came as there was room for. */
  const take = async (): Promise<boolean> => {
    if (mayHaveStrays) await releaseStrays(pool, id, { own: slots.ids(), attempts: queueAttempts })
    mayHaveStrays = false
    const givenBack = slots.takeWaiting(patienceMs)
    await handBack(pool, id, givenBack)
    const isLeft = isQueued || givenBack.length > 0
    isQueued = false
    const limit = slots.room()
    if (limit === 0) {
      if (isLeft) wakeOthers()
      return false
    }
    const isMore = (await claims.claim(limit)) === limit
    // whatever was queued while it looked it may have missed
    isQueued ||= isMore && isLeft
    return isMore
  }

  const takeSafely = (): Promise<boolean> =>
    take().catch((error) => {
      log.warn({ err: error }, 'the queue cannot be read')
      mayHaveStrays = true
      return false
    })
  const loop = startLoop(takeSafely, pollMs)
  const tending = tendLeases({ pool, clock, log, worker: id, leaseSeconds, slots, onReleased: look })
  return {
    wake,
    stop: async () => {
      stopping = true
      slots.abort()
      await loop.stop()
      await session.close()
      await handBack(pool, id, slots.takeWaiting(0)).catch((error) => {
        log.warn({ err: error }, 'what was taken cannot be given back before its lease runs out')
      })
      await slots.ended()
      // those given back, those handed over, and the lanes of all of them
      wakeOthers()
      // not before: what takes longer than a lease to end is still ours
      tending.stop()
    },
  }
}
