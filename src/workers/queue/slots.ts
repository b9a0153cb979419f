import type { Share } from '#db/queue/claim-jobs.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import { createHeldRows, type Held } from './held-rows.ts'
import { createPace } from './pace.ts'
import { createShares } from './shares.ts'

/**
 * Handles a row and ends it; rejects only if its end could not be written. Calls `handled` when its handler has ended: only the row's end is still
 * to be written, and another may run in its place.
 */
export type RunJob = (worker: string, job: JobRow, signal: AbortSignal, handled: () => void) => Promise<void>

export type Slots = {
  /** How many rows there is room for; if none, `onRoom` is called when there is room again. */
  room(): number
  /**
   * How many rows may be added that were not claimed: half of the handlers, if they are slow, are left to those that wait in the queue. One
   * installation may fill it: the others' rows are claimed then.
   */
  spare(): number
  /** How many rows of one installation may be held, and how many are. */
  share(): Share
  /** These wait for `begin`, or for another to end. */
  hold(jobs: readonly JobRow[]): void
  begin(): void
  /** Every row that this worker has leased. */
  ids(): number[]
  /** Of the rows asked for, all but the kept ones now belong to another worker. */
  keep(asked: number[], kept: ReadonlySet<number>): void
  /** Takes back the rows not begun that have waited this long: current handlers take longer than earlier ones. */
  takeWaiting(longerThanMs: number): number[]
  /** Begins nothing more, and signals all handlers to stop. */
  abort(): void
  /** Resolves when the begun rows have ended. */
  ended(): Promise<unknown>
}

type SlotsOptions = {
  worker: string
  concurrency: number
  runJob: RunJob
  /** There is room again, or a lane is free. */
  onRoom(): void
  /** A row is not held any more, and still leased to this worker. */
  onStray(): void
}

/** Leased rows at once; all but the running ones wait to begin, or to be written as done. */
const heldAtMost = 2000

/** The rows of a worker: up to `concurrency` run, and if they end fast, more wait for their turn. */
export const createSlots = ({ worker, concurrency, runJob, onRoom, onStray }: SlotsOptions): Slots => {
  const { all: held, waiting, hold, drop } = createHeldRows()
  const pace = createPace()
  const shares = createShares(concurrency)
  let isFull = false
  let isStopping = false

  const wanted = (): number => {
    const ahead = pace.ahead()
    // the next fetch is under way while the rows of the last one are worked on
    return shares.ready(waiting) > ahead ? 0 : Math.min(concurrency - shares.total() + ahead, heldAtMost - held.size)
  }

  const begin = (row: Held): void => {
    shares.begin(row)
    const handled = once(() => {
      pace.ended()
      if (shares.end(row)) onRoom()
      beginNext()
    })
    const end = (): void => {
      handled()
      held.delete(row.job.id)
      if (row.job.lane !== null || (isFull && wanted() > 0)) onRoom()
    }
    row.work = runJob(worker, row.job, row.gone.signal, handled).then(end, () => {
      end()
      onStray()
    })
  }

  const next = (): Held | undefined => (isStopping ? undefined : shares.takeNext(waiting))
  const beginNext = (): void => {
    for (let row = next(); row; row = next()) begin(row)
    if (isFull && wanted() > 0) onRoom()
  }

  return {
    room: () => {
      const room = Math.max(0, wanted())
      isFull = room === 0
      if (!isFull) pace.fetching()
      return room
    },
    spare: () =>
      Math.min(
        Math.max(0, Math.floor(concurrency / 2) - shares.total()) + pace.ahead() - waiting.length,
        heldAtMost - held.size,
      ),
    share: () => shares.share(waiting, pace.ahead()),
    hold,
    begin: beginNext,
    ids: () => [...held.keys()],
    keep: (asked, kept) => {
      const lost = new Set(asked.filter((id) => !kept.has(id)))
      for (const id of lost) held.get(id)?.gone.abort()
      drop((row) => lost.has(row.job.id))
    },
    takeWaiting: (longerThanMs) => (hasWaited(waiting[0], longerThanMs) ? drop(() => true) : []),
    abort: () => {
      isStopping = true
      for (const { gone } of held.values()) gone.abort()
    },
    ended: () => Promise.all([...held.values()].map(({ work }) => work)),
  }
}

const hasWaited = (row: Held | undefined, ms: number): boolean =>
  row !== undefined && performance.now() - row.since >= ms

const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
