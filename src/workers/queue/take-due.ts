import { handBack, releaseStrays } from '#db/queue/job-leases.ts'
import type { Pool } from '#db/sql.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Claims } from './claims.ts'
import type { Slots } from './slots.ts'

/** Rows that were taken ahead and have waited this long are put back, for others to take. */
const patienceMs = 1000

type Options = { pool: Pool; worker: string; slots: Slots; claims: Claims; wakeOthers(): void; isStoring(): boolean }

export type TakeDue = {
  /** Takes due rows. Whether there may be more at once: true if the claim filled the room. */
  take(): Promise<boolean>
  /** This process queued something. */
  noteQueued(): void
  /** The database was unreachable: rows that ended meanwhile could not be written, and an answer with rows may have been lost. */
  noteStrays(): void
  /** Whether the last look left rows in the queue, as far as it knows. */
  isBehind(): boolean
}

/** A worker's look at the queue, and what it remembers for the next. */
export const createTakeDue = ({ pool, worker, slots, claims, wakeOthers, isStoring }: Options): TakeDue => {
  /** Something was queued here, and it is not known yet that none of it is left. */
  let isQueued = false
  /** Held while the database was away, if it was: the end of one of them may be what cannot be written. */
  let suspects: ReadonlySet<number> | undefined
  let isBehind = false
  const release = async (suspected: ReadonlySet<number>): Promise<void> => {
    const own = slots.ids()
    await releaseStrays(pool, worker, { own, attempts: queueAttempts })
    const left = own.filter((id) => suspected.has(id))
    // unless the database went away again meanwhile
    if (suspects === suspected) suspects = left.length > 0 ? new Set(left) : undefined
  }
  const take = async (): Promise<boolean> => {
    // a row that is just stored is not held yet, and is no stray
    if (suspects && !isStoring()) await release(suspects)
    const givenBack = slots.takeWaiting(patienceMs)
    await handBack(pool, worker, givenBack)
    const isLeft = isQueued || givenBack.length > 0
    isQueued = false
    const limit = slots.room()
    isBehind = limit === 0
    if (isBehind) {
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
      suspects = new Set([...(suspects ?? []), ...slots.ids()])
    },
    isBehind: () => isBehind,
  }
}
