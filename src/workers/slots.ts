import type { JobRow } from '#db/jobs.ts'
import { createPace } from './pace.ts'

/**
 * Does a row and ends it; never rejects. Calls `handled` when its handler has ended: what is left is to write the row as
 * done, and another may run in its place.
 */
export type RunJob = (worker: string, job: JobRow, signal: AbortSignal, handled: () => void) => Promise<void>

/** `gone`: its worker stops, or another one has it, as the lease ran out while this process stood still. */
type Held = { job: JobRow; since: number; gone: AbortController; work?: Promise<void> }

export type Slots = {
  /** For how many rows there is room; where there is none, `onRoom` is called when there is. */
  room(): number
  add(jobs: readonly JobRow[]): void
  /** Everything that this worker has the lease of. */
  ids(): number[]
  /** Of those asked for all but the kept ones belong to another by now. */
  keep(asked: number[], kept: ReadonlySet<number>): void
  /** Takes back those not begun although they wait for so long: what runs takes longer than what ran before. */
  takeWaiting(longerThanMs: number): number[]
  /** Begins nothing more, and tells all handlers to end. */
  abort(): void
  /** Resolves when the rows that were begun have ended. */
  ended(): Promise<unknown>
}

type SlotsOptions = {
  worker: string
  concurrency: number
  runJob: RunJob
  /** There is room again, or a lane is free. */
  onRoom(): void
}

/** Rows at once that are leased, of which all but those running wait to be begun, or to be written as done. */
const heldAtMost = 2000

/** The rows that a worker has: up to `concurrency` run, and where they end fast more wait for their turn. */
export const createSlots = ({ worker, concurrency, runJob, onRoom }: SlotsOptions): Slots => {
  const held = new Map<number, Held>()
  const pace = createPace()
  let waiting: Held[] = []
  let running = 0
  let isFull = false
  let isStopping = false

  const wanted = (): number => {
    const ahead = pace.ahead()
    // the next fetch is under way while what the last one brought is worked on
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

  /** Of those not begun. */
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
