import type { JobRow } from '#db/queue/jobs.ts'
import { createPace } from './pace.ts'

/**
 * Handles a row and ends it; never rejects. Calls `handled` when its handler has ended: only the row's end is still to be
 * written, and another may run in its place.
 */
export type RunJob = (worker: string, job: JobRow, signal: AbortSignal, handled: () => void) => Promise<void>

/** `gone`: its worker stops, or another worker has it, since the lease ran out while this process hung. */
type Held = { job: JobRow; since: number; gone: AbortController; work?: Promise<void> }

export type Slots = {
  /** How many rows there is room for; if none, `onRoom` is called when there is room again. */
  room(): number
  add(jobs: readonly JobRow[]): void
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
}

/** Leased rows at once; all but the running ones wait to begin, or to be written as done. */
const heldAtMost = 2000

/** The rows of a worker: up to `concurrency` run, and if they end fast, more wait for their turn. */
export const createSlots = ({ worker, concurrency, runJob, onRoom }: SlotsOptions): Slots => {
  const held = new Map<number, Held>()
  const pace = createPace()
  let waiting: Held[] = []
  let running = 0
  let isFull = false
  let isStopping = false

  const wanted = (): number => {
    const ahead = pace.ahead()
    // the next fetch is under way while the rows of the last one are worked on
    return waiting.length > ahead ? 0 : Math.min(concurrency - running + ahead, heldAtMost - held.size)
  }

  const begin = (row: Held): void => {
    running += 1
    const handled = once(() => {
      running -= 1
      pace.ended()
      beginNext()
    })
    row.work = runJob(worker, row.job, row.gone.signal, handled).finally(() => {
      handled()
      held.delete(row.job.id)
      if (row.job.lane !== null || (isFull && wanted() > 0)) onRoom()
    })
  }

  const beginNext = (): void => {
    while (running < concurrency && waiting.length > 0 && !isStopping) begin(waiting.shift() as Held)
    if (isFull && wanted() > 0) onRoom()
  }

  /** Drops rows that have not begun. */
  const drop = (which: (row: Held) => boolean): number[] => {
    const ids = waiting.filter(which).map(({ job }) => job.id)
    waiting = waiting.filter((row) => !which(row))
    for (const id of ids) held.delete(id)
    return ids
  }

  return {
    room: () => {
      const room = wanted()
      isFull = room <= 0
      if (!isFull) pace.fetching()
      return Math.max(0, room)
    },
    add: (jobs) => {
      const since = performance.now()
      for (const job of jobs) {
        const row = { job, since, gone: new AbortController() }
        held.set(job.id, row)
        waiting.push(row)
      }
      beginNext()
    },
    ids: () => [...held.keys()],
    keep: (asked, kept) => {
      const lost = new Set(asked.filter((id) => !kept.has(id)))
      for (const id of lost) held.get(id)?.gone.abort()
      if (lost.size > 0) drop((row) => lost.has(row.job.id))
    },
    takeWaiting: (longerThanMs) => {
      const [first] = waiting
      return first && performance.now() - first.since >= longerThanMs ? drop(() => true) : []
    },
    abort: () => {
      isStopping = true
      for (const { gone } of held.values()) gone.abort()
    },
    ended: () => Promise.all([...held.values()].map(({ work }) => work)),
  }
}

const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
