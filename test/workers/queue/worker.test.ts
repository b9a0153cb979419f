import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import { finishJobs } from '#db/queue/job-leases.ts'
import { addJobs, type JobRow } from '#db/queue/jobs.ts'
import { transact } from '#db/transact.ts'
import { until } from '#test/helpers/until.ts'
import { gate, jobOf, openQueue, type Queue, silent } from '#test/scenes/queue.ts'
import { startWorker, type Worker, type WorkerOptions } from '#workers/queue/worker.ts'

type Story = { began: string[]; ended: string[]; running: Set<string>; most: number }

const newStory = (): Story => ({ began: [], ended: [], running: new Set(), most: 0 })

type Working = {
  story?: Story
  /** What a job does before its row is finished. */
  work?: (job: JobRow, signal: AbortSignal) => Promise<void>
  pool?: Queue['pool']
} & Partial<Pick<WorkerOptions, 'concurrency' | 'leaseSeconds' | 'pollMs' | 'clock'>>

/** A worker that polls only every ten minutes, unless set otherwise: for anything it does sooner it was woken. */
const begin = (t: Test, queue: Queue, { story = newStory(), work, pool = queue.pool, ...options }: Working): Worker => {
  const worker = startWorker({
    pool,
    databaseUrl: queue.url,
    clock: { now: () => new Date() },
    log: silent,
    concurrency: 4,
    leaseSeconds: 30,
    pollMs: 600_000,
    ...options,
    runJob: async (id, job, signal) => {
      const name = job.key ?? ''
      story.began.push(name)
      story.running.add(name)
      story.most = Math.max(story.most, story.running.size)
      await work?.(job, signal)
      story.running.delete(name)
      story.ended.push(name)
      await finishJobs(pool, id, [job.id], 'done')
    },
  })
  t.teardown(() => worker.stop())
  return worker
}

const unfinished = async ({ rows }: Queue): Promise<number> =>
  (await rows(`select count(*)::int from jobs where state in ('queued', 'running')`))[0].count

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `${index}` }))

t.test('as many rows at once as allowed, never more, and the next as soon as one ends', async (t) => {
  const queue = await openQueue(t)
  await queue.add(...numbered(8))
  const story = newStory()
  const gates = new Map(numbered(8).map(({ key }) => [key, gate()]))
  begin(t, queue, { story, concurrency: 3, work: (job) => gates.get(job.key ?? '')?.opened ?? Promise.resolve() })
  await until(() => story.running.size === 3)
  gates.get('1')?.open()
  await until(() => story.began.length === 4)
  t.same(story.began.sort(), ['0', '1', '2', '3'])
  for (const { open } of gates.values()) open()
  await until(async () => (await unfinished(queue)) === 0)
  t.equal(story.most, 3)
  t.equal(story.ended.length, 8)
})

t.test('a wake-up makes it quick, even if its clock is behind that of the database', async (t) => {
  const queue = await openQueue(t)
  const story = newStory()
  const behind = { now: () => new Date(Date.now() - 60_000) }
  const worker = begin(t, queue, { story, clock: behind })
  for (const key of ['one', 'two']) {
    await transact(queue.pool, (tx) => addJobs(tx, [jobOf({ key })]))
    worker.wake()
    await until(() => story.ended.includes(key))
  }
  t.same(story.began, ['one', 'two'])
})

t.test('the poll finds what another process queued, and what became due', async (t) => {
  const queue = await openQueue(t)
  const story = newStory()
  begin(t, queue, { story, pollMs: 20 })
  await addJobs(queue.other, [jobOf({ key: 'soon', runAt: new Date(Date.now() + 2000) }), jobOf({ key: 'now' })])
  await until(() => story.ended.length === 2)
  t.same(story.began, ['now', 'soon'])
})

t.test('each lane runs its rows one after another in order, lanes run in parallel, under two workers', async (t) => {
  const queue = await openQueue(t)
  const lanes = ['a', 'b', 'c']
  await queue.add(...lanes.flatMap((lane) => numbered(6).map(({ key }) => ({ key: `${lane}${key}`, lane }))))
  const story = newStory()
  const together = gate()
  const doubled: string[] = []
  const work = async (job: JobRow): Promise<void> => {
    const sameLane = [...story.running].filter((name) => name[0] === job.lane)
    if (sameLane.length > 1) doubled.push(sameLane.join(' and '))
    // would never open if a lane waited for another
    if (story.running.size === lanes.length) together.open()
    if (job.key?.endsWith('0')) await together.opened
    await queue.rows('select 1')
  }
  for (const pool of [queue.pool, queue.other]) begin(t, queue, { story, work, pool, pollMs: 20 })
  await until(async () => (await unfinished(queue)) === 0)
  t.same(doubled, [])
  for (const lane of lanes) {
    const names = story.began.filter((name) => name.startsWith(lane))
    t.same(
      names,
      ['0', '1', '2', '3', '4', '5'].map((key) => `${lane}${key}`),
    )
  }
})

t.test('the row of a killed worker is taken over when its lease has run out, as a further attempt', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'left', lane: 'a' }, { key: 'next', lane: 'a' }, { key: 'poison' })
  await queue.claim({ worker: randomUUID(), leaseSeconds: 0.1 })
  await queue.rows(`update jobs set attempt = 5 where key = 'poison'`)
  await until(() => +queue.clock.now() + 100 < Date.now())
  const seen: [string | null, number][] = []
  const work = async (job: JobRow): Promise<void> => void seen.push([job.key, job.attempt])
  begin(t, queue, { work, leaseSeconds: 0.2 })
  await until(async () => (await unfinished(queue)) === 0)
  t.same(seen, [
    ['left', 2],
    ['next', 1],
  ])
  t.match(await queue.rows(`select last_error from jobs where state = 'dead'`), [
    { last_error: 'its worker died each time' },
  ])
})

t.test('a handler that takes longer than a lease keeps its row, even while its worker stops', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'long' })
  const story = newStory()
  const done = gate()
  const first = begin(t, queue, { story, work: () => done.opened, leaseSeconds: 0.3 })
  await until(() => story.began.length === 1)
  const stranger = newStory()
  begin(t, queue, { story: stranger, pool: queue.other, leaseSeconds: 0.3, pollMs: 20 })
  const leasedUntil = async (): Promise<number> =>
    +(await queue.rows('select coalesce(leased_until, now()) as until from jobs'))[0].until
  const renewed = async (leases: number): Promise<void> => {
    const start = await leasedUntil()
    await until(async () => (await leasedUntil()) > start + leases * 300)
  }
  await renewed(3)
  const stopped = first.stop()
  await queue.add({ key: 'after' })
  await until(() => stranger.ended.length === 1)
  await renewed(3)
  done.open()
  await stopped
  t.same(story.began, ['long'], 'a worker that stops takes nothing more')
  t.same(story.ended, ['long'], 'and waits for what is running')
  t.same(stranger.began, ['after'])
  t.match(await queue.rows(`select state, attempt from jobs where key = 'long'`), [{ state: 'done', attempt: 1 }])
})

t.test('a worker that hung past its leases keeps its rows, if no other worker took them', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'slept' })
  const story = newStory()
  const done = gate()
  begin(t, queue, { story, work: () => done.opened, leaseSeconds: 0.3, pollMs: 20 })
  await until(() => story.began.length === 1)
  const [{ leased_until: first }] = await queue.rows('select leased_until from jobs')
  await until(async () => (await queue.rows('select from jobs where leased_until > $1', [first])).length === 1)
  // as after a laptop's sleep: the lease is long over when the process continues
  await queue.rows(`update jobs set leased_until = now() - interval '1 hour'`)
  await until(async () => (await queue.rows(`select from jobs where leased_until > now()`)).length === 1)
  done.open()
  await until(async () => (await unfinished(queue)) === 0)
  t.same(story.began, ['slept'])
})

t.test('a handler is told to stop if another worker now has its row', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'lost' })
  const told = gate()
  const work = (_job: JobRow, signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', told.open)
    return told.opened
  }
  begin(t, queue, { work, leaseSeconds: 0.3 })
  await until(async () => (await queue.rows(`select from jobs where state = 'running'`)).length === 1)
  await queue.rows('update jobs set leased_by = $1', [randomUUID()])
  await told.opened
  t.match(await queue.rows('select state, attempt from jobs'), [{ state: 'running', attempt: 1 }])
})

t.test('a database that is gone for a while only makes it wait', async (t) => {
  const queue = await openQueue(t)
  const story = newStory()
  begin(t, queue, { story, pollMs: 20 })
  await queue.rows(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await queue.rows(`insert into jobs (queue, kind, key, payload) values ('jobs', 'publish_run', 'after', '{}')`)
  await until(() => story.ended.length === 1)
  t.same(story.began, ['after'])
})

t.test('rows taken ahead of slow handlers are given back, and that is no attempt', async (t) => {
  const queue = await openQueue(t)
  await queue.add(...numbered(2000))
  const story = newStory()
  const slow = gate()
  const work = (): Promise<void> => (story.began.length > 300 ? slow.opened : Promise.resolve())
  const counts = async () =>
    (
      await queue.rows(`select count(*) filter (where state = 'running')::int as running,
        count(*) filter (where state = 'queued' and attempt = 0 and leased_by is null)::int as waiting from jobs`)
    )[0]
  const first = begin(t, queue, { story, work, concurrency: 4, pollMs: 50 })
  let most = 0
  await until(async () => {
    const { running } = await counts()
    most = Math.max(most, running)
    return story.running.size === 4
  })
  await until(async () => {
    const { running, waiting } = await counts()
    most = Math.max(most, running)
    return running === 4 && waiting === 2000 - story.began.length
  })
  t.ok(most > 8, `${most} rows at once for 4 handlers`)
  t.equal(story.most, 4, 'no more than the limit were at work')
  const stopped = first.stop()
  slow.open()
  await stopped
  t.equal((await counts()).waiting, 2000 - story.began.length, 'a worker that stops leaves no row behind')
  t.equal(new Set(story.began).size, story.began.length, 'none began twice')
})

t.test('rows that ended while the database was away continue when it is back, before their lease ends', async (t) => {
  const queue = await openQueue(t)
  const database = new URL(queue.url).pathname.slice(1)
  const admin = new pg.Client(Object.assign(new URL(queue.url), { pathname: '/postgres' }).href)
  await admin.connect()
  t.teardown(() => admin.end())
  const takeAway = async (): Promise<void> => {
    await admin.query(`alter database "${database}" allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  }
  await queue.add({ key: 'lost' })
  const attempts: number[] = []
  let failed = 0
  const warn = (): void => {
    failed += 1
  }
  const log = Object.assign(Object.create(silent), { warn })
  const worker = startWorker({
    ...{
      pool: queue.pool,
      databaseUrl: queue.url,
      clock: { now: () => new Date() },
      log,
      concurrency: 2,
      leaseSeconds: 60,
      pollMs: 20,
    },
    runJob: async (id, job) => {
      attempts.push(job.attempt)
      if (attempts.length === 1) await takeAway()
      const before = failed
      try {
        await finishJobs(queue.pool, id, [job.id], 'done')
      } catch (error) {
        await until(() => failed > before)
        await admin.query(`alter database "${database}" allow_connections true`)
        throw error
      }
    },
  })
  t.teardown(() => worker.stop())
  await until(() => attempts.length === 2)
  await until(async () => (await unfinished(queue).catch(() => 1)) === 0)
  t.same(attempts, [1, 2], 'as a further attempt')
})
