import type { JobRow } from '#db/queue/jobs.ts'

/** `gone`: its worker stops, or another worker has it, since the lease ran out while this process hung. */
export type Held = { job: JobRow; since: number; gone: AbortController; work?: Promise<void> }

export type HeldRows = {
  /** By their ids: those that wait, those that run, and those whose end is to be written. */
  all: Map<number, Held>
  /** Those that have not begun, in the order they came. */
  waiting: Held[]
  hold(jobs: readonly JobRow[]): void
  /** Drops rows that have not begun; returns their ids. */
  drop(which: (row: Held) => boolean): number[]
}

/** The rows that are leased to a worker. */
export const createHeldRows = (): HeldRows => {
  const all = new Map<number, Held>()
  const waiting: Held[] = []
  return {
    all,
    waiting,
    hold: (jobs) => {
      // a claim that a crash of the database lost is made again, while the row's handler is still at work
      const rows = jobs.filter(({ id }) => !all.has(id)).map(heldNow)
      for (const row of rows) all.set(row.job.id, row)
      waiting.push(...rows)
    },
    drop: (which) => {
      const ids = waiting.filter(which).map(({ job }) => job.id)
      waiting.splice(0, waiting.length, ...waiting.filter((row) => !which(row)))
      for (const id of ids) all.delete(id)
      return ids
    },
  }
}

const heldNow = (job: JobRow): Held => ({ job, since: performance.now(), gone: new AbortController() })
