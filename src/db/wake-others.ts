import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '#log.ts'
import { type Pool, sql } from './sql.ts'

/** Where instances tell each other that there is something in the queue; the payload names the worker that says so. */
export const jobsChannel = 'svc_jobs'

/**
 * Once in so many milliseconds: whoever notifies holds a lock of the whole server until its commit is on disk. One of each
 * row's own transaction made queueing at 32 clients 3.6 times as slow.
 */
const everyMs = 5

/**
 * Tells the workers of other processes that something is queued, after it was committed. At once, and where it is called more
 * often once more for all of them; what is lost on the way their poll finds.
 */
export const createWakeOthers = (pool: Pool, worker: string, log: Log): (() => void) => {
  let telling = false
  let isMore = false
  const tell = async (): Promise<void> => {
    do {
      isMore = false
      await notify(pool, worker).catch((error) => log.debug({ err: error }, 'other instances cannot be woken'))
      await wait(everyMs, undefined, { ref: false })
    } while (isMore)
    telling = false
  }
  return () => {
    isMore = true
    if (telling) return
    telling = true
    void tell()
  }
}

/** Need not survive a crash of the database, so that its commit does not wait for the disk. */
const notify = (pool: Pool, worker: string): Promise<unknown> =>
  pool.query(sql.type(z.object({}))`
    select set_config('synchronous_commit', 'off', true), pg_notify(${jobsChannel}, ${worker})`)
