import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { type Pool, sql } from '#db/sql.ts'

/** What repositories wait for, looked up for all of them in one statement. */
export type Quiet = {
  /** Resolves when nothing of this installation is queued or running that could change a machine. */
  settled(installationId: number): Promise<void>
  /** Resolves when nothing at all is left of it. */
  done(installationId: number): Promise<void>
  close(): Promise<void>
}

/** Jobs that only show what is, and change no machine. */
const showing = ['publish_run', 'publish_stacks', 'add_reaction', 'post_comment', 'comment_lock', 'store_plans']
const patienceMs = 180_000

const Busy = z.object({ installation_id: z.number(), is_showing: z.boolean(), failed: z.string().nullable() })

type Waiter = { installationId: number; showing: boolean; since: number; resolve(): void; reject(error: Error): void }

/** All that is not done, by the three indexes that have it: after thousands of walks a scan of all jobs takes a core. */
const unfinished = sql.fragment`(
  select * from jobs where state = 'queued' and lane is null
  union all select * from jobs where state = 'queued' and lane is not null
  union all select * from jobs where state = 'running')`

/** Looks every few milliseconds while somebody waits. */
export const watchQuiet = (pool: Pool): Quiet => {
  const waiters = new Set<Waiter>()
  let isOver = false
  const look = async (): Promise<void> => {
    const asked = [...waiters]
    const busy = await pool.any(sql.type(Busy)`
      select installation_id, kind in (${sql.join(
        showing.map((kind) => sql.fragment`${kind}`),
        sql.fragment`, `,
      )}) as is_showing,
        max(last_error) as failed
      from ${unfinished} as j group by 1, 2`)
    for (const waiter of asked) {
      const own = busy.filter(
        ({ installation_id: id, is_showing }) => id === waiter.installationId && (waiter.showing || !is_showing),
      )
      const isLate = performance.now() - waiter.since > patienceMs
      if (own.length > 0 && !isLate) continue
      waiters.delete(waiter)
      if (own.length === 0) waiter.resolve()
      else waiter.reject(new Error(`still at work after three minutes: ${own.map(({ failed }) => failed).join('; ')}`))
    }
  }
  const loop = (async () => {
    while (!isOver) {
      if (waiters.size > 0) await look()
      await wait(25)
    }
  })()
  const waiting = (installationId: number, all: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      waiters.add({ installationId, showing: all, since: performance.now(), resolve, reject })
    })
  return {
    settled: (installationId) => waiting(installationId, false),
    done: (installationId) => waiting(installationId, true),
    close: async () => {
      isOver = true
      await loop
    },
  }
}
