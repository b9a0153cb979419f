import type { Share } from '#db/queue/claim-jobs.ts'

/** Whose a row is; 0 for those of nobody, such as the clock's: there are a dozen kinds, and one of each. */
type Owned = { job: { installation_id: number } }

export type Shares = {
  /** Handlers that run. */
  total(): number
  begin(row: Owned): void
  /** Returns whether others of the installation may have waited for it. */
  end(row: Owned): boolean
  /** Takes out the first waiting row that may run now. */
  takeNext<Row extends Owned>(waiting: Row[]): Row | undefined
  /** How many of the waiting rows may run as soon as there is room. */
  ready(waiting: readonly Owned[]): number
  /** What a claim may take beside these; `ahead`: rows to be taken before there is room to run them. */
  share(waiting: readonly Owned[], ahead: number): Share
}

/**
 * No installation has more than half of a worker's handlers: a code host that hangs for one organisation, or its 10,000
 * deliveries, must not keep those of others waiting.
 */
export const createShares = (concurrency: number): Shares => {
  const most = Math.max(1, Math.floor(concurrency / 2))
  const running = new Map<number, number>()
  let total = 0
  let full = 0
  const count = ({ job }: Owned): number => running.get(job.installation_id) ?? 0
  const isFull = (row: Owned): boolean => row.job.installation_id !== 0 && count(row) >= most
  return {
    total: () => total,
    begin: (row) => {
      total += 1
      running.set(row.job.installation_id, count(row) + 1)
      if (row.job.installation_id !== 0 && count(row) === most) full += 1
    },
    end: (row) => {
      const wasFull = isFull(row)
      if (row.job.installation_id !== 0 && count(row) === most) full -= 1
      total -= 1
      running.set(row.job.installation_id, count(row) - 1)
      if (count(row) === 0) running.delete(row.job.installation_id)
      return wasFull
    },
    takeNext: (waiting) => {
      const index = total < concurrency ? waiting.findIndex((row) => !isFull(row)) : -1
      return index === -1 ? undefined : waiting.splice(index, 1)[0]
    },
    // asked as each handler ends: the rows are only looked at while an installation has its share
    ready: (waiting) => (full === 0 ? waiting.length : waiting.filter((row) => !isFull(row)).length),
    share: (waiting, ahead) => {
      const held = new Map(running)
      for (const { job } of waiting) held.set(job.installation_id, (held.get(job.installation_id) ?? 0) + 1)
      return { most: most + Math.floor(ahead / 2), held }
    },
  }
}
