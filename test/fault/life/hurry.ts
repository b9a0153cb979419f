import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { addJobs } from '#db/jobs.ts'
import { sql } from '#db/sql.ts'
import { reconcileJob } from '#workers/handlers/reconcile.ts'
import { age } from '../ageing-world.ts'
import type { Life } from './life.ts'

/** What brings ten minutes, or an hour of waiting, into seconds. Only while all is well: attempts are not for wasting. */
export type Hurry = {
  /** The comparisons with the code host that are made each ten minutes are made now. */
  lookAgain(): Promise<void>
  /** Lets time pass until the stories have ended and nothing is left to do, or nothing got on for so many seconds. */
  finish(stories: Promise<unknown>, seconds: number): Promise<void>
}

/** So often: one that fails each time is dead after its fifth attempt. */
const everyMs = 600
const looksAMinute = 4
/** Dispatches are given up after 30. */
const minutesAtMost = 20

const Left = z.object({ kind: z.string(), state: z.string(), attempt: z.number(), last_error: z.string().nullable() })

export const createHurry = (life: Life): Hurry => {
  const { pool, github, worlds } = life

  const jobs = (['deliveries', 'runs', 'pull_requests'] as const).map((what) => reconcileJob(what))
  // the connections of before a restart are found to be broken one by one
  const lookAgain = async (tries = 5): Promise<void> => {
    try {
      await addJobs(pool, jobs)
    } catch (error) {
      if (tries === 1) throw error
      await wait(200)
      await lookAgain(tries - 1)
    }
  }

  const left = () =>
    pool.any(sql.type(Left)`
      select kind, state, attempt, last_error from jobs where state in ('queued', 'running')`)

  const isQuiet = async (): Promise<boolean> => {
    await github.deliveriesSettled()
    const isOut = worlds.some(({ repository }) =>
      repository.workflowRuns().some((run) => {
        const { event, status } = run.now()
        return event === 'workflow_dispatch' && status !== 'completed'
      }),
    )
    return !isOut && (await left()).length === 0
  }

  const progress = (): number => life.reported.length + life.told.filter(({ end }) => end !== undefined).length

  return {
    lookAgain,
    finish: async (stories, seconds) => {
      let isTold = false
      void stories.then(() => {
        isTold = true
      })
      let [so, until] = [progress(), performance.now() + seconds * 1000]
      for (let look = 0; performance.now() < until; look += 1) {
        if (isTold && (await isQuiet())) return
        if (progress() > so) [so, until] = [progress(), performance.now() + seconds * 1000]
        // what waits a minute or longer after it failed
        await pool.query(sql.unsafe`update jobs set run_at = now() where state = 'queued' and run_at > now()`)
        if (look % looksAMinute === 0 && look / looksAMinute < minutesAtMost) await age(pool, 1)
        if (look % looksAMinute === 0) await lookAgain()
        await wait(everyMs)
      }
      const rows = await left()
      life.broken.push(...rows.map((row) => `still in the queue: ${JSON.stringify(row)}`))
    },
  }
}
