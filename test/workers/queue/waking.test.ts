import { Client } from 'pg'
import t, { type Test } from 'tap'
import { finishJobs } from '#db/queue/job-leases.ts'
import { sessionName } from '#db/queue/queue-session.ts'
import { createWakeOthers } from '#db/queue/wake-others.ts'
import { until } from '#test/helpers/until.ts'
import { gate, openQueue, type Queue, silent, workerId } from '#test/scenes/queue.ts'
import { startWorker, type Worker, type WorkerOptions } from '#workers/queue/worker.ts'

type Instance = Worker & { began: string[] }

/** Workers of two processes, as far as the database can see; they poll every ten minutes. */
const begin = (
  t: Test,
  queue: Queue,
  {
    work = async () => {},
    ...options
  }: Partial<Pick<WorkerOptions, 'pool' | 'pollMs' | 'concurrency'>> & { work?: () => Promise<void> },
): Instance => {
  const { pool = queue.pool } = options
  const began: string[] = []
  const worker = startWorker({
    ...{ pool, databaseUrl: queue.url, clock: { now: () => new Date() }, log: silent },
    ...{ concurrency: 1, leaseSeconds: 30, pollMs: 600_000 },
    ...options,
    runJob: async (id, job, _signal, handled) => {
      began.push(job.key ?? '')
      await work()
      handled()
      await finishJobs(pool, id, [job.id], 'done')
    },
  })
  t.teardown(() => worker.stop())
  return { ...worker, began }
}

/** Waits until so many workers are connected, listening, and idle. */
const listening = ({ rows }: Queue, workers: number): Promise<void> =>
  until(async () => {
    const sessions = await rows(
      `select from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'idle'`,
      [sessionName],
    )
    return sessions.length === workers
  })

/** A full worker, and an idle one beside it. */
const fullAndIdle = async (t: Test) => {
  const queue = await openQueue(t)
  const busy = gate()
  const full = begin(t, queue, { work: () => busy.opened })
  await queue.add({ key: 'long', lane: 'a' })
  full.wake()
  await until(() => full.began.length === 1)
  const idle = begin(t, queue, { pool: queue.other })
  await listening(queue, 2)
  t.teardown(busy.open)
  return { queue, full, idle, busy }
}

t.test('another worker takes what a full one has no room for, well before its next poll', async (t) => {
  const { queue, full, idle } = await fullAndIdle(t)
  for (const key of ['one', 'two', 'three']) {
    await queue.add({ key })
    full.wake()
    await until(() => idle.began.includes(key))
  }
  t.same(full.began, ['long'])
})

t.test('many jobs share one notification, since each holds a lock of the whole server', async (t) => {
  const queue = await openQueue(t)
  const wakeOthers = createWakeOthers(queue.pool, workerId, silent)
  const listener = new Client(queue.url)
  await listener.connect()
  let told = 0
  listener.on('notification', () => {
    told += 1
  })
  await listener.query('listen svc_jobs')
  const start = performance.now()
  for (let n = 0; n < 100; n++) {
    wakeOthers()
    await listener.query('select')
  }
  await until(() => told > 0)
  const most = (performance.now() - start) / 5 + 2
  await listener.end()
  t.ok(told <= most, `${told} times, at most ${most} were due`)
})

t.test('a worker with room keeps what it queues to itself', async (t) => {
  const queue = await openQueue(t)
  const worker = begin(t, queue, { concurrency: 2 })
  const listener = new Client(queue.url)
  await listener.connect()
  const heard: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => heard.push(payload))
  await listener.query('listen svc_jobs')
  await queue.add({ key: 'own' })
  worker.wake()
  await until(async () => (await queue.rows(`select from jobs where state = 'done'`)).length === 1)
  await listener.query(`notify svc_jobs, 'last'`)
  await until(() => heard.includes('last'))
  await listener.end()
  t.same(heard, ['last'])
})

t.test('jobs queued while a worker stops, and the lane it leaves, go to another at once', async (t) => {
  const { queue, full, idle, busy } = await fullAndIdle(t)
  const stopped = full.stop()
  await queue.add({ key: 'late' }, { key: 'next', lane: 'a' })
  full.wake()
  await until(() => idle.began.includes('late'))
  t.same(idle.began, ['late'], 'the lane is busy')
  busy.open()
  await stopped
  await until(() => idle.began.includes('next'))
})

t.test('a worker whose line is cut finds by polling what it does not hear, and then hears again', async (t) => {
  const queue = await openQueue(t)
  const worker = begin(t, queue, { pollMs: 5000 })
  await listening(queue, 1)
  await queue.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1`,
    [sessionName],
  )
  await queue.add({ key: 'unheard' })
  await until(() => worker.began.includes('unheard'))
  const start = performance.now()
  for (const key of ['one', 'two', 'three', 'four']) {
    await queue.add({ key })
    await queue.rows(`select pg_notify('svc_jobs', 'another')`)
    await until(() => worker.began.includes(key))
  }
  t.ok(performance.now() - start < 10_000, 'four polls are fifteen seconds apart')
})
