/** One queue to measure: each call ends when its work is committed. */
export type Side = {
  /**
   * Queues so many jobs by one statement each, `clients` of them at a time; the other contenders wake workers elsewhere in
   * any case.
   */
  enqueue(jobs: number, clients: number, wakesOthers?: boolean): Promise<void>
  /** Queues jobs inside transactions of the caller, which write their own row: one job each. */
  enqueueWithin(jobs: number): Promise<void>
  /** Queues so many jobs by as few statements as it likes, in each of the given lanes in turn. */
  enqueueMany(jobs: number, lanes?: number): Promise<void>
  /**
   * Starts a worker, which calls `began` at the beginning of each handler; tuned for lanes if the contender has settings for
   * them.
   */
  work(began: () => void, lanes?: boolean): Promise<{ stop(): Promise<void> }>
  /** How many jobs are not done yet. */
  left(): Promise<number>
  /** Forgets all jobs. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/** Handlers at once, in each of them. */
export const concurrency = 16

/** Runs `work` so many times, `clients` of them at a time. */
export const byClients = async (times: number, clients: number, work: () => Promise<unknown>): Promise<void> => {
  let left = times
  const client = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** The lane of the n-th job. */
export const laneOf = (n: number, lanes: number | undefined): string | null =>
  lanes === undefined ? null : `lane ${n % lanes}`
