import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { Pool } from 'pg'
import { byClients, concurrency, laneOf, type Side } from './side.ts'

/*
 * Tuned by its documentation on performance: jobs are fetched 500 at a time into a local queue, and completions are sent
 * together. It wakes by NOTIFY at each insertion, deletes finished jobs, and takes over a killed worker's jobs after four
 * hours.
 */

const spec = { maxAttempts: 5 }
const logger = new Logger(() => () => {})

export const openGraphile = async (url: string): Promise<Side> => {
  const pool = new Pool({ connectionString: url, max: 40 })
  // without both it complains
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  await utils.migrate()
  const enqueueWithin = async (): Promise<void> => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into bench_own (n) values (1)')
    // as documented for clients other than its own
    await client.query({
      name: 'add_job',
      text: `select graphile_worker.add_job('bench', json_build_object('n', $1::int), max_attempts => 5)`,
      values: [1],
    })
    await client.query('commit')
    client.release()
  }
  return {
    enqueue: (jobs, clients) => byClients(jobs, clients, () => utils.addJob('bench', { n: 1 }, spec)),
    enqueueWithin: (jobs) => byClients(jobs, 1, enqueueWithin),
    enqueueMany: async (jobs, lanes) => {
      for (let from = 0; from < jobs; from += 100) {
        await utils.addJobs(
          Array.from({ length: Math.min(100, jobs - from) }, (_, index) => {
            const queueName = laneOf(from + index, lanes)
            return { identifier: 'bench', payload: { n: index }, ...spec, ...(queueName ? { queueName } : {}) }
          }),
        )
      }
    },
    work: async (began, lanes) => {
      const runner = await run({
        pgPool: pool,
        logger,
        noHandleSignals: true,
        taskList: { bench: async () => began() },
        preset: {
          worker: {
            concurrentJobs: concurrency,
            maxPoolSize: 40,
            pollInterval: 1000,
            // of a named queue it fetches only one at a time: the next one at the next poll, with a local queue
            ...(lanes ? {} : { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }),
          },
        },
      })
      return { stop: () => runner.stop() }
    },
    left: async () => (await pool.query(`select count(*)::int from graphile_worker._private_jobs`)).rows[0].count,
    empty: async () => void (await pool.query('truncate graphile_worker._private_jobs')),
    stop: async () => {
      await utils.release()
      await pool.end()
    },
  }
}
