import { handBack, releaseStrays } from '#db/queue/job-leases.ts'
import type { Pool } from '#db/sql.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Claims } from './claims.ts'
import type { Slots } from './slots.ts'

/** Rows that were taken ahead and have waited this long are put back, for others to take. */
const patienceMs = 1000

type Options = {
  pool: Pool
  worker: string
  slots: Slots
  claims: Claims
  wakeOthers(): void
  /** Rows are being stored as taken: they are not held yet, and are no strays. */
  isStoring(): boolean
}

export type TakeDue = {
  /** Takes due rows. Whether there may be more at once: true if the claim filled the room. */
  take(): Promise<boolean>
  /** This process queued something. */
  noteQueued(): void
  /** Rows may be leased to this worker that it does not hold: their end could not be written, or the answer that named them was lost. */
  noteStrays(): void
  hasStrays(): boolean
  /** Whether the last look left rows in the queue, or rows may be strays: nothing goes before those. */
  isBehind(): boolean
}

/** A worker's look at the queue, and what it remembers for the next. */
export const createTakeDue = ({ pool, worker, slots, claims, wakeOthers, isStoring }: Options): TakeDue => {
  /** Something was queued here, and it is not known yet that none of it is left. */
  let isQueued = false
  /** How often strays were noted since they were last put back. */
  let strays = 0
  let isBehind = false
  const putBack = async (): Promise<void> => {
    const noted = strays
    await releaseStrays(pool, worker, { own: slots.ids(), attempts: queueAttempts })
    if (strays === noted) strays = 0
  }
  const take = async (): Promise<boolean> => {
    if (strays > 0 && !isStoring()) await putBack()
    const givenBack = slots.takeWaiting(patienceMs)
    await handBack(pool, worker, givenBack)
    const isLeft = isQueued || givenBack.length > 0
    isQueued = false
    // else rows that wait for others to come would look like a full worker
    slots.begin()
    const limit = slots.room()
    if (limit === 0) {
      isBehind = true
      if (isLeft) wakeOthers()
      return false
    }
    isBehind = (await claims.claim(limit)) === limit
    // the claim may have missed what was queued meanwhile
    isQueued ||= isBehind && isLeft
    return isBehind
  }
  return {
    take,
    noteQueued: () => {
      isQueued = true
    },
    noteStrays: () => {
      strays += 1
    },
    hasStrays: () => strays > 0,
    isBehind: () => isBehind || strays > 0,
  }
}
