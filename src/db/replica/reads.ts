import type { Pool } from '../sql.ts'
import type { Replica } from './follow-replica.ts'
import type { Lsn } from './lsn.ts'

/**
 * Does work that only reads. `since` is the place in the log of the caller's last write: they see what they have done. The work
 * may be done twice.
 */
export type Reads = <T>(since: Lsn | undefined, work: (pool: Pool) => Promise<T>) => Promise<T>

/**
 * Reads of what people look at: from the replica if there is one, it is in order and far enough; else from the primary. What
 * fails there is asked of the primary, too: a statement may be cancelled because it stands in the way of what is followed, and what is
 * missing may only be late. So is what is not answered by the time that the replica answers no more.
 */
export const createReads =
  (primary: Pool, replica: Replica | undefined, isAnswer: (error: unknown) => boolean): Reads =>
  async (since, work) => {
    const other = replica?.readable(since)
    if (replica === undefined || other === undefined) return work(primary)
    try {
      return await whileAnswering(replica, work(other))
    } catch (error) {
      if (!isAnswer(error)) replica.failed(error)
      return work(primary)
    }
  }

/** The result of a read; rejects if the replica answers no more before it comes. A slow read has its time as long as the replica answers. */
const whileAnswering = <T>(replica: Replica, read: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      if (!replica.answers()) reject(new Error('the replica does not answer any more'))
    }
    const timer = setInterval(look, 1000).unref()
    read.then(resolve, reject).finally(() => clearInterval(timer))
  })
