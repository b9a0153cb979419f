import { randomUUID } from 'node:crypto'
import t from 'tap'
import { failJob, finishJobs, releaseExpired } from '#db/queue/job-leases.ts'
import { addJobs, lastDone, queueDepths } from '#db/queue/jobs.ts'
import { gate, jobOf, openQueue, type Queue, untilBlocked, workerId } from '#test/scenes/queue.ts'

const finish = ({ pool }: Queue, jobs: { id: number }[]): Promise<void> =>
  finishJobs(
    pool,
    workerId,
    jobs.map((job) => job.id),
    'done',
  )

const keys = (jobs: { key: string }[]): string[] => jobs.map((job) => job.key)

/** Runs `work` in an open transaction of the other process; calling the returned function commits it. */
const within = async (queue: Queue, work: (tx: Parameters<typeof addJobs>[0]) => Promise<unknown>) => {
  const done = gate()
  const commit = gate()
  const committed = queue.other.transaction(async (tx) => {
    await work(tx)
    done.open()
    await commit.opened
  })
  await Promise.race([done.opened, committed])
  return async (): Promise<void> => {
    commit.open()
    await committed
  }
}

/** Takes rows in an open transaction of another process, after another statement; calling the returned function commits it. */
const claimWithin = async (
  queue: Queue,
  { limit = 10, after = 'select 1' }: { limit?: number; after?: string } = {},
) => {
  const client = await queue.connect()
  await client.query(`begin; ${after}`)
  const jobs = await queue.claim({ on: client, limit })
  return {
    jobs,
    commit: async (): Promise<void> => {
      await client.query('commit')
      client.release()
    },
  }
}

t.test('two processes that take at the same time take different rows, and none is left over', async (t) => {
  const queue = await openQueue(t)
  await queue.add(...Array.from({ length: 6 }, (_, index) => ({ key: `${index}` })))
  const { jobs, commit } = await claimWithin(queue, { limit: 2 })
  t.same(keys(jobs), ['0', '1'], 'earliest first')
  t.same(keys(await queue.claim({ limit: 3 })), ['2', '3', '4'], 'rows that another is about to take are skipped')
  await commit()
  t.same(keys(await queue.claim()), ['5'])
  t.same(await queue.claim(), [])

  await queue.add(...Array.from({ length: 200 }, (_, index) => ({ key: `more ${index}` })))
  const taken: string[] = []
  const drain = async (): Promise<void> => {
    for (;;) {
      const jobs = await queue.claim({ limit: 7 })
      if (jobs.length === 0) return
      taken.push(...keys(jobs))
    }
  }
  await Promise.all([drain(), drain(), drain()])
  t.equal(taken.length, 200)
  t.equal(new Set(taken).size, 200)
})

t.test('a row is taken when it is due, not before', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'later', runAt: new Date(+queue.clock.now() + 60_000) }, { key: 'now' })
  t.same(keys(await queue.claim()), ['now'])
  queue.clock.pass(59)
  t.same(await queue.claim(), [])
  queue.clock.pass(1)
  t.match(await queue.claim(), [{ key: 'later', attempt: 1 }])
})

t.test('one row of a lane at a time, in order, and lanes in parallel', async (t) => {
  const queue = await openQueue(t)
  const jobs = ['a1', 'a2', 'b1', 'b2'].map((key) => ({ key, lane: key[0] ?? '' }))
  await queue.add(...jobs, { key: 'free' })
  const first = await queue.claim()
  t.same(keys(first), ['a1', 'b1', 'free'])
  t.same(await queue.claim(), [], 'both lanes are busy')
  await finish(
    queue,
    first.filter((job) => job.key === 'b1'),
  )
  t.same(keys(await queue.claim()), ['b2'])
  const after = `update jobs set state = 'done', leased_by = null, leased_until = null where key = 'a1'`
  const { jobs: next, commit } = await claimWithin(queue, { after })
  t.same(keys(next), ['a2'])
  t.same(await queue.claim(), [], 'a lane that another process is about to take')
  await commit()
})

t.test('two claims of one lane at the same moment do not both get a row', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'second', lane: 'a' }, { key: 'without' })
  const { commit } = await claimWithin(queue, { limit: 1 })
  // an earlier row, unknown to the open transaction
  await queue.rows(`insert into jobs (queue, kind, key, lane, payload, run_at)
    values ('jobs', 'publish_run', 'first', 'a', '{}', now() - interval '1 hour')`)
  const refused = queue.claim()
  await untilBlocked(queue)
  await commit()
  t.same(keys(await refused), ['without'], 'tried again, and found the rest')
  t.match(await queue.rows('select key from jobs where state = $1 and lane = $2', ['running', 'a']), [
    { key: 'second' },
  ])
})

t.test('a full lane hides no other, and is not walked through', async (t) => {
  const queue = await openQueue(t)
  await queue.rows(`insert into jobs (queue, kind, key, lane, payload)
    select 'jobs', 'publish_run', n, 'full', '{}' from generate_series(1, 5000) n`)
  await queue.add({ key: 'b', lane: 'b' }, { key: 'c', lane: 'c' }, { key: 'free' })
  const touched = async (): Promise<number> => {
    const [{ rows }] = await queue.rows(`
      select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'jobs'))::int as rows
      from pg_stat_user_tables where relname = 'jobs'`)
    return rows
  }
  await queue.rows('select pg_stat_force_next_flush()')
  const before = await touched()
  const session = await queue.connect()
  // as the session of a worker has them
  await session.query('set enable_seqscan = off; set enable_bitmapscan = off')
  t.same(keys(await queue.claim({ on: session, limit: 4 })), ['1', 'b', 'c', 'free'])
  t.same(await queue.claim({ on: session }), [], 'the lane is busy')
  // a session reports its counts when asked to
  await session.query('select pg_stat_force_next_flush()')
  session.release()
  const walked = (await touched()) - before
  t.ok(walked > 0 && walked < 200, `${walked} rows and index entries for two claims`)
})

t.test('waiting jobs of one kind and key are one row, with the newest contents', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'run', cause: 'one', payload: { n: 1 } }, { key: 'other' }, {}, {})
  await queue.add({ key: 'run', cause: 'two', lane: 'moved', payload: { n: 2 } }, { kind: 'dispatch_wave', key: 'run' })
  const rows = await queue.rows('select kind, key, lane, cause, payload from jobs order by kind, key, id')
  t.match(rows, [
    { kind: 'dispatch_wave', key: 'run' },
    { key: 'other' },
    { key: 'run', cause: 'two', lane: 'moved', payload: { n: 2 } },
    { key: null },
    { key: null },
  ])
  t.equal(rows.length, 5)
})

t.test('a job queued while its twin runs is run again afterwards', async (t) => {
  const queue = await openQueue(t)
  const job = { key: 'run', lane: 'a' }
  await queue.add(job)
  const first = await queue.claim()
  await queue.add(job)
  await queue.add(job)
  t.same(await queue.claim(), [], 'not in parallel')
  await finish(queue, first)
  t.match(await queue.claim(), [{ key: 'run', attempt: 1 }], 'once, for the two that were queued')
  t.same(await queueDepths(queue.pool), [{ queue: 'jobs', state: 'running', count: 1 }])
})

t.test('a waiting row is not taken before the transaction that queues it again is visible', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'run' })
  const commit = await within(queue, (tx) => addJobs(tx, [jobOf({ key: 'run', cause: 'news' })]))
  t.same(await queue.claim(), [])
  await commit()
  t.match(await queue.claim(), [{ key: 'run', cause: 'news' }])
})

t.test('a job whose twin is being taken at that moment gets its own row', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'run' })
  const { jobs, commit } = await claimWithin(queue)
  t.equal(jobs.length, 1)
  const added = queue.add({ key: 'run' })
  await untilBlocked(queue)
  await commit()
  await added
  t.same(await queue.rows('select state from jobs order by id'), [{ state: 'running' }, { state: 'queued' }])
})

const later = (queue: Queue, seconds: number): Date => new Date(+queue.clock.now() + seconds * 1000)

t.test('a row that fails beside a newer job passes its attempts and its wait on to that job', async (t) => {
  const queue = await openQueue(t)
  const cases = [
    {
      about: 'put back',
      runAt: later(queue, 300),
      countAttempt: true,
      old: 'done',
      other: { attempt: 2, run_at: later(queue, 300), last_error: 'no' },
    },
    {
      about: 'asked to wait',
      runAt: later(queue, 900),
      countAttempt: false,
      old: 'done',
      other: { attempt: 1, run_at: later(queue, 900), last_error: 'no' },
    },
    { about: 'dead', runAt: null, countAttempt: true, old: 'dead', other: { attempt: 0, last_error: null } },
  ]
  for (const { about, runAt, countAttempt, old, other } of cases) {
    await queue.add({ key: about })
    await queue.rows(`update jobs set attempt = 1 where state = 'queued' and key = $1`, [about])
    const [job] = await queue.claim()
    await queue.add({ key: about })
    await failJob(queue.pool, workerId, { id: job.id, error: 'no', runAt, countAttempt })
    const [failed, waiting] = await queue.rows('select * from jobs where key = $1 order by id', [about])
    t.match(failed, { state: old, finished_at: Date, last_error: 'no', leased_by: null }, about)
    t.match(waiting, { state: 'queued', ...other }, about)
    if (runAt) {
      await queue.add({ key: about })
      t.match(
        (await queue.rows('select run_at from jobs where id = $1', [waiting.id]))[0],
        { run_at: runAt },
        'another job does not shorten the wait',
      )
    }
    await queue.rows('delete from jobs')
  }
})

t.test('a row that fails while its job is being queued again waits for that, and gives way', async (t) => {
  const queue = await openQueue(t)
  await queue.add({ key: 'run' })
  const [job] = await queue.claim()
  const commit = await within(queue, (tx) => addJobs(tx, [jobOf({ key: 'run' })]))
  const runAt = later(queue, 60)
  const failed = failJob(queue.pool, workerId, { id: job.id, error: 'no', runAt, countAttempt: true })
  await untilBlocked(queue)
  await commit()
  await failed
  t.match(await queue.rows('select state, attempt, run_at from jobs order by id'), [
    { state: 'done' },
    { state: 'queued', attempt: 1, run_at: runAt },
  ])
})

t.test('rows of a dead worker continue, give way, or are buried', async (t) => {
  const queue = await openQueue(t)
  const jobs = [
    { key: 'first time', attempt: 1, state: 'queued' },
    { key: 'fourth time', attempt: 4, state: 'queued' },
    { key: 'fifth time', attempt: 5, state: 'dead', last_error: 'its worker died each time', finished_at: Date },
    { key: 'queued again', attempt: 3, state: 'done', finished_at: Date },
    { key: 'twice at once', attempt: 1, state: 'done', finished_at: Date },
    { key: 'twice at once', attempt: 2, state: 'queued' },
  ]
  await queue.add({ key: 'queued again' })
  for (const { key, attempt } of jobs) {
    await queue.rows(
      `insert into jobs (queue, kind, key, payload, state, attempt, leased_by, leased_until)
       values ('jobs', 'publish_run', $1, '{}', 'running', $2, $3, $4)`,
      [key, attempt, randomUUID(), later(queue, 30)],
    )
  }
  t.equal(await releaseExpired(queue.pool, { now: later(queue, 29), attempts: 5 }), 0, 'while the leases last')
  t.equal(await releaseExpired(queue.pool, { now: later(queue, 31), attempts: 5 }), 6)
  const [newer, ...rows] = await queue.rows('select * from jobs order by id')
  t.match(newer, { key: 'queued again', state: 'queued', attempt: 3 }, 'the newer job continues with the attempts')
  t.match(rows, jobs)
  t.same(await queue.rows('select from jobs where leased_until is not null'), [])
})

t.test('a job that gave way to a newer one does not count as done: its work is left to the newer one', async (t) => {
  const queue = await openQueue(t)
  const job = { kind: 'publish_run', key: 'a' }
  const last = () => lastDone(queue.pool, job)
  const doneAt = async () => (await queue.rows(`select created_at from jobs order by id limit 1`))[0].created_at
  await queue.add(job)
  await finish(queue, await queue.claim())
  t.same(await last(), await doneAt())

  await queue.add(job)
  await queue.claim()
  await queue.add(job)
  await releaseExpired(queue.pool, { now: later(queue, 31), attempts: 5 })
  const [{ id }] = await queue.claim()
  await queue.add(job)
  await failJob(queue.pool, workerId, { id, error: 'no answer', runAt: queue.clock.now(), countAttempt: true })
  t.match(await queue.rows('select state, last_error from jobs order by id'), [
    { state: 'done', last_error: null },
    { state: 'done', last_error: 'another row continues in its place' },
    { state: 'done', last_error: 'no answer' },
    { state: 'queued' },
  ])
  t.same(await last(), await doneAt(), 'the first is the last that was done')
})
