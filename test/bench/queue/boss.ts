import { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { byClients, concurrency, laneOf, type Side } from './side.ts'

/*
 * Fetches 500 jobs at a time and goes on at once while batches are full, is woken by NOTIFY, settles each job of a batch by
 * itself (one failure does not fail the others), and keeps finished jobs, as ours does.
 */

const queue = 'bench'
const lanesQueue = 'bench-lanes'

export const openBoss = async (url: string): Promise<Side> => {
  const boss = new PgBoss({
    connectionString: url,
    max: 40,
    useListenNotify: true,
    schedule: false,
    supervise: false,
    migrate: true,
  })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  const common = { retryLimit: 4, retryDelay: 60, retryBackoff: true, notify: true, partition: true }
  await boss.createQueue(`${queue}-dead`)
  await boss.createQueue(queue, { ...common, deadLetter: `${queue}-dead` })
  await boss.createQueue(lanesQueue, { ...common, policy: 'key_strict_fifo', deadLetter: `${queue}-dead` })
  const pool = new Pool({ connectionString: url, max: 2 })
  // the server may end a connection while it is being closed
  pool.on('error', () => {})
  const table = async (name: string): Promise<string> => `pgboss.${(await boss.getQueue(name))?.table}`
  const tables = [await table(queue), await table(lanesQueue)]
  const enqueueWithin = async (): Promise<void> => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into bench_own (n) values (1)')
    await boss.send(queue, { n: 1 }, { db: { executeSql: (text, values) => client.query(text, values) } })
    await client.query('commit')
    client.release()
  }
  return {
    enqueue: (jobs, clients) => byClients(jobs, clients, () => boss.send(queue, { n: 1 })),
    enqueueWithin: (jobs) => byClients(jobs, 1, enqueueWithin),
    enqueueMany: async (jobs, lanes) => {
      for (let from = 0; from < jobs; from += 100) {
        await boss.insert(
          lanes === undefined ? queue : lanesQueue,
          Array.from({ length: Math.min(100, jobs - from) }, (_, index) => {
            const singletonKey = laneOf(from + index, lanes)
            return { data: { n: index }, ...(singletonKey ? { singletonKey } : {}) }
          }),
        )
      }
    },
    work: async (began) => {
      for (const name of [queue, lanesQueue]) {
        const options = {
          // a fetch that is not full ends the burst; with strict lanes it never gets more than one each
          batchSize: name === queue ? 500 : concurrency,
          perJobResults: true,
          burstWhenBatchFull: true,
          localConcurrency: 2,
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: name === queue ? 1 : 0.5,
        }
        await boss.work(name, options, (jobs) =>
          Promise.all(
            jobs.map(async ({ id }) => {
              began()
              return { id, status: 'completed' as const }
            }),
          ),
        )
      }
      return { stop: async () => Promise.all([queue, lanesQueue].map((name) => boss.offWork(name))).then(() => {}) }
    },
    left: async () => {
      let sum = 0
      for (const name of tables)
        sum += (await pool.query(`select count(*)::int from ${name} where state < 'completed'`)).rows[0].count
      return sum
    },
    empty: async () => {
      for (const name of tables) await pool.query(`truncate ${name}`)
    },
    stop: async () => {
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
}
