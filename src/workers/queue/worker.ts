import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import type { StoreForWorker } from '#commands/deps.ts'
import type { Seam } from '#db/pool.ts'
import { handBack } from '#db/queue/job-leases.ts'
import { openQueueSession } from '#db/queue/queue-session.ts'
import { createWakeOthers } from '#db/queue/wake-others.ts'
import type { Pool } from '#db/sql.ts'
import type { Log } from '#log.ts'
import { startLoop } from '../loop.ts'
import { createAlarm } from './alarm.ts'
import { createClaims } from './claims.ts'
import { createSlots, type RunJob } from './slots.ts'
import { rowsForWorker } from './store-for-worker.ts'
import { createTakeDue } from './take-due.ts'
import { tendLeases } from './tend-leases.ts'
import { throttle } from './throttle.ts'
import { watchLook } from './watched-look.ts'

export type Worker = {
  /** Why its last look at the queue failed, or that it hangs; undefined if it did not. */
  trouble(): string | undefined
  /**
   * This process queued something, due now or in so many milliseconds: the worker takes it, or, if it has no room, notifies the
   * workers of other processes.
   */
  wake(inMs?: number): void
  /** Stores rows that the worker has at once, if it has room for them. */
  store: StoreForWorker
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
  const onStray = (): void => {
    due.noteStrays()
    look()
  }
  const slots = createSlots({ worker: id, concurrency, runJob, onRoom: look, onStray })
  const wakeOthers = createWakeOthers(pool, id, log)
  const session = openQueueSession(options, (from) => (from === id ? undefined : hear()))
  const claims = createClaims({ session, worker: id, leaseSeconds, clock, slots })
  const hear = throttle(() => {
    claims.hear()
    look()
  })

  const due = createTakeDue({ pool, worker: id, slots, claims, wakeOthers, isStoring: () => direct.isStoring() })
  const alarm = createAlarm(() => {
    due.noteQueued()
    if (stopping) wakeOthers()
    else hear()
  })
  const onStored = (): void => {
    if (due.hasStrays()) look()
  }
  const { isBehind, noteStrays: onLost } = due
  const direct = rowsForWorker({ worker: id, leaseSeconds, clock, slots, isBehind, onLost, onStored })
  const watched = watchLook(due.take, (error) => {
    log.warn({ err: error }, 'the queue cannot be read')
    due.noteStrays()
  })
  const loop = startLoop(watched.look, pollMs)
  const tending = tendLeases({ pool, clock, log, worker: id, leaseSeconds, slots, onReleased: look })
  return {
    wake: (inMs = 0) => alarm.set(inMs),
    store: direct.store,
    trouble: watched.trouble,
    stop: async () => {
      stopping = true
      alarm.stop()
      slots.abort()
      await Promise.all([loop.stop(), direct.stop()])
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
