import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { addJobs } from '#db/queue/jobs.ts'
import { sql } from '#db/sql.ts'
import { makeJob } from '#jobs/job.ts'
import { age } from '../ageing-world.ts'
import type { Life } from './life.ts'

/** Brings ten minutes, or an hour of waiting, into seconds. Only while all is well: attempts must not be wasted. */
export type Hurry = {
  /** Makes the comparisons with the code host now that are otherwise made every ten minutes. */
  lookAgain(): Promise<void>
  /** Lets time pass until the stories have ended and nothing is left to do, or nothing progressed for so many seconds. */
  finish(stories: Promise<unknown>, seconds: number): Promise<void>
}

/** So often: a job that fails each time is dead after its fifth attempt. */
const everyMs = 600
const looksAMinute = 4
/** Dispatches are given up after 30. */
const minutesAtMost = 20

const Left = z.object({ kind: z.string(), state: z.string(), attempt: z.number(), last_error: z.string().nullable() })

export const createHurry = (life: Life): Hurry => {
  const { pool, github, worlds } = life

  const jobs = (['deliveries', 'runs', 'pull_requests'] as const).map((what) =>
    makeJob('reconcile', { what }, { cause: null }),
  )
  // the connections from before a restart are found broken one by one
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
        // jobs that wait a minute or longer after a failure
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
