import { Pool as Connections } from 'pg'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import { addJobs, type NewJob, queueDepths } from '#db/queue/jobs.ts'
import { createWakeOthers } from '#db/queue/wake-others.ts'
import { sql } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { createLog } from '#log.ts'
import { createMetrics } from '#metrics.ts'
import { jobRunner } from '#workers/queue/run-job.ts'
import { startWorker } from '#workers/queue/worker.ts'
import { byClients, concurrency, laneOf, type Side } from './side.ts'

const jobOf = (n: number, lane: string | null = null): NewJob => ({
  kind: 'bench',
  key: null,
  lane,
  payload: { n },
  cause: null,
})

/** The service's own: its pool, worker and runner of jobs, with a handler that does nothing. */
export const openOurs = async (url: string): Promise<Side> => {
  const log = createLog({ level: 'error', format: 'text' })
  const pool = await createPool(url, { log, size: 40 })
  const outside = new Connections({ connectionString: url, max: 1 })
  // the server may end a connection while it is being closed
  outside.on('error', () => {})
  const metrics = createMetrics({ version: '0', commit: '0' })
  let wake = (): void => {}
  const wakeOthers = createWakeOthers(pool, 'none', log)
  return {
    enqueue: (jobs, clients, wakesOthers = false) =>
      byClients(jobs, clients, async () => {
        await addJobs(pool, [jobOf(1)])
        if (wakesOthers) wakeOthers()
        else wake()
      }),
    enqueueWithin: (jobs) =>
      byClients(jobs, 1, () =>
        transact(pool, async (tx) => {
          await tx.query(sql.unsafe`insert into bench_own (n) values (1)`)
          await addJobs(tx, [jobOf(1)])
        }),
      ),
    enqueueMany: async (jobs, lanes) => {
      for (let from = 0; from < jobs; from += 100) {
        await addJobs(
          pool,
          Array.from({ length: Math.min(100, jobs - from) }, (_, index) => jobOf(index, laneOf(from + index, lanes))),
        )
      }
    },
    work: async (began) => {
      const codehost = { causedBy: () => codehost } as never
      const runJob = jobRunner(
        { pool, clock: systemClock, log, metrics, codehost } as never,
        ({ kind, result }) => metrics.jobProcessed(kind, result),
        () => async () => {
          began()
          return undefined
        },
      )
      const worker = startWorker({
        pool,
        databaseUrl: url,
        clock: systemClock,
        log,
        concurrency,
        runJob,
        leaseSeconds: 30,
      })
      wake = worker.wake
      return {
        stop: () => {
          wake = () => {}
          return worker.stop()
        },
      }
    },
    left: async () => (await queueDepths(pool)).reduce((sum, depth) => sum + depth.count, 0),
    empty: async () => void (await outside.query('truncate jobs')),
    stop: async () => {
      await pool.end()
      await outside.end()
    },
  }
}
