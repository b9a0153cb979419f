import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import type { Seam } from '#db/pool.ts'
import { handBack, releaseStrays } from '#db/queue/job-leases.ts'
import { openQueueSession } from '#db/queue/queue-session.ts'
import { createWakeOthers } from '#db/queue/wake-others.ts'
import type { Pool } from '#db/sql.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Log } from '#log.ts'
import { startLoop } from '../loop.ts'
import { createAlarm } from './alarm.ts'
import { createClaims } from './claims.ts'
import { createSlots, type RunJob } from './slots.ts'
import { tendLeases } from './tend-leases.ts'
import { watchLook } from './watched-look.ts'

export type Worker = {
  /** Why its last look at the queue failed, or that it hangs; undefined if it did not. */
  trouble(): string | undefined
  /**
   * This process queued something, due now or in so many milliseconds: the worker takes it, or, if it has no room, notifies the
   * workers of other processes.
   */
  wake(inMs?: number): void
  /** Takes nothing more, and resolves when the running handlers have ended. */
  stop(): Promise<void>
}

export type WorkerOptions = {
  pool: Pool
  /** For its own session, on which it takes rows and hears from other processes. */
  databaseUrl: string
  clock: Clock
  log: Log
  concurrency: number
  runJob: RunJob
  /** The rows of a dead worker go to others after this long; renewed three times as often. */
  leaseSeconds: number
  pollMs?: number
  /** Called before and after every statement of the session. */
  seam?: Seam
}

/** Rows that were taken ahead and have waited this long are put back, for others to take. */
const patienceMs = 1000

/**
 * Takes due rows of the queue and runs up to `concurrency` of them at once. A wake-up makes it quick: from this process, or
 * from another that has no room for what it queued. The poll makes it certain: it finds rows that became due, rows of dead
 * workers, and rows whose wake-up was lost.
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

  /** This process queued something, and does not know yet that none of it is left. */
  let isQueued = false
  const alarm = createAlarm(() => {
    isQueued = true
    if (stopping) wakeOthers()
    else hear()
  })

  /** The database was unreachable: rows that ended meanwhile could not be written, and a claim's answer may have been lost. */
  let mayHaveStrays = false

  /** Whether there may be more at once: true if the claim filled the room. */
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
    // the claim may have missed what was queued meanwhile
    isQueued ||= isMore && isLeft
    return isMore
  }

  const watched = watchLook(take, (error) => {
    log.warn({ err: error }, 'the queue cannot be read')
    mayHaveStrays = true
  })
  const loop = startLoop(watched.look, pollMs)
  const tending = tendLeases({ pool, clock, log, worker: id, leaseSeconds, slots, onReleased: look })
  return {
    wake: (inMs = 0) => alarm.set(inMs),
    trouble: watched.trouble,
    stop: async () => {
      stopping = true
      alarm.stop()
      slots.abort()
      await loop.stop()
      await session.close()
      await handBack(pool, id, slots.takeWaiting(0)).catch((error) => {
        log.warn({ err: error }, 'rows that were taken cannot be given back before their lease runs out')
      })
      await slots.ended()
      // for the rows given back, those handed over, and the lanes of both
      wakeOthers()
      // not before: handlers that take longer than a lease to end still need theirs
      tending.stop()
    },
  }
}
