/** The rows fetched ahead are worked off in about this long: as long as two or three fetches take under load. */
const aheadMs = 50
const atMost = 500

type Window = { since: number; ended: number }

export type Pace = {
  /** A handler ended. */
  ended(): void
  /** A fetch begins: the count of ended handlers starts again. */
  fetching(): void
  /** How many rows to hold beside those that run: none, unless dozens end during a fetch. */
  ahead(): number
}

/**
 * How fast handlers end, over this fetch and the one before. Taking ahead pays if a handler takes less time than fetching its
 * row: 16 handlers that do nothing make 2,000 jobs a second with rows fetched for free slots alone, and 30,000 with rows in
 * hand. With handlers of a second each, it would only keep rows from other processes.
 */
export const createPace = (now: () => number = () => performance.now()): Pace => {
  let before: Window = { since: now(), ended: 0 }
  let current: Window = { ...before }
  return {
    ended: () => {
      current.ended += 1
    },
    fetching: () => {
      before = current
      current = { since: now(), ended: 0 }
    },
    ahead: () => {
      const elapsed = Math.max(1, now() - before.since)
      return Math.min(atMost, Math.floor(((before.ended + current.ended) / elapsed) * aheadMs))
    },
  }
}
