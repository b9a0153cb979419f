import t, { type Test } from 'tap'
import { createReceiver, type ReceiveDelivery } from '#commands/host-news/receive-delivery.ts'
import { NotJson } from '#db/queue/deliveries.ts'
import { finishJobs } from '#db/queue/job-leases.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { until } from '#test/helpers/until.ts'
import { gate, openQueue, type Queue, silent, workerId } from '#test/scenes/queue.ts'
import { rowsForWorker } from '#workers/queue/store-for-worker.ts'
import { startWorker, type Worker } from '#workers/queue/worker.ts'

type Ground = {
  queue: Queue
  worker: Worker
  receive: ReceiveDelivery
  begun: JobRow[]
  woken(): number
  looks(): number
}

/** A worker of eight handlers that is never woken and polls after ten minutes, and deliveries that are stored beside it. */
const openGround = async (t: Test, work: () => Promise<unknown> = async () => {}): Promise<Ground> => {
  const queue = await openQueue(t)
  const { pool, clock, url: databaseUrl } = queue
  const begun: JobRow[] = []
  let woken = 0
  let looks = 0
  const seam = (step: string): void => {
    if (step.startsWith('after ') && step.includes('update jobs')) looks += 1
  }
  const worker = startWorker({
    ...{ pool, databaseUrl, clock, log: silent, concurrency: 8, leaseSeconds: 30, pollMs: 600_000, seam },
    runJob: async (id, job) => {
      begun.push(job)
      await work()
      await finishJobs(pool, id, [job.id], 'done')
    },
  })
  t.teardown(() => worker.stop())
  // what it stores later, no look finds
  await until(() => looks > 0)
  const onJobs = (): void => {
    woken += 1
  }
  const runtime = createRuntime({ pool, clock, onJobs })
  return {
    queue,
    worker,
    receive: createReceiver({ pool, runtime, storeForWorker: worker.store }),
    begun,
    woken: () => woken,
    looks: () => looks,
  }
}

const delivery = (id: string, payload: object = { action: id }) => ({
  id,
  event: 'ping',
  payload: JSON.stringify(payload),
})

const states = async ({ rows }: Queue): Promise<unknown[]> =>
  rows(`select delivery_id, state, attempt from jobs order by id`)

t.test('a delivery is the worker’s from the first, without a look at the queue', async (t) => {
  const { queue, receive, begun, woken } = await openGround(t)
  t.equal(await receive(delivery('one', { installation: { id: 7 } })), 'queued')
  await until(async () => (await queue.rows(`select from jobs where state = 'done'`)).length === 1)
  t.match(begun, [
    {
      ...{ queue: 'events', kind: 'ping', delivery_id: 'one', cause: 'one', payload: { installation: { id: 7 } } },
      ...{ installation_id: 7, attempt: 1, key: null, lane: null, last_error: null, created_at: Date },
    },
  ])
  t.equal(woken(), 0)
})

t.test('one that is known is not handled again, also if both come together', async (t) => {
  const { queue, receive, begun } = await openGround(t)
  const answers = await Promise.all([receive(delivery('one')), receive(delivery('one')), receive(delivery('two'))])
  t.same(answers, ['queued', 'duplicate', 'queued'])
  await until(async () => (await queue.rows(`select from jobs where state = 'done'`)).length === 2)
  t.equal(await receive(delivery('two')), 'duplicate')
  t.same(
    begun.map((job) => job.payload),
    [{ action: 'one' }, { action: 'two' }],
  )
})

t.test('half of the handlers are left to what waits in the queue', async (t) => {
  const slow = gate()
  const { queue, receive, begun, woken } = await openGround(t, () => slow.opened)
  for (const id of ['one', 'two', 'three', 'four', 'five']) await receive(delivery(id))
  await until(() => begun.length === 4)
  t.same(await states(queue), [
    ...['one', 'two', 'three', 'four'].map((id) => ({ delivery_id: id, state: 'running', attempt: 1 })),
    { delivery_id: 'five', state: 'queued', attempt: 0 },
  ])
  t.equal(woken(), 1, 'the worker hears of the fifth')
  slow.open()
})

t.test('none goes before those that wait already, or beside rows of which the worker has lost sight', async (t) => {
  const { queue } = await openGround(t)
  const slots = { spare: () => 8, hold: () => {}, begin: () => {} }
  let isBehind = true
  const options = { worker: workerId, leaseSeconds: 30, clock: queue.clock, slots, isBehind: () => isBehind }
  const { store } = rowsForWorker({ ...options, onLost: () => {}, onStored: () => {} })
  let stored = 0
  const storeOne = async () => {
    stored += 1
    return []
  }
  await store(1, storeOne)
  t.equal(stored, 0)
  isBehind = false
  await store(1, storeOne)
  t.equal(stored, 1)
})

t.test('what is not JSON is refused by Postgres, and the others are stored', async (t) => {
  const { queue, receive } = await openGround(t)
  const [broken, stored] = await Promise.allSettled([
    receive({ id: 'broken', event: 'ping', payload: '{"a":' }),
    receive(delivery('whole')),
  ])
  t.ok(broken?.status === 'rejected' && broken.reason instanceof NotJson)
  t.same(stored, { status: 'fulfilled', value: 'queued' })
  t.match(await queue.rows('select delivery_id from jobs'), [{ delivery_id: 'whole' }])
})

/** Stores a row as the worker's, which hears of it by `answer`. */
const storeAnswered = async (
  { queue, worker }: Ground,
  kind: string,
  answer: () => Promise<unknown>,
): Promise<void> => {
  await worker.store(1, async (lease) => {
    const rows = await queue.rows(
      `insert into jobs (queue, kind, payload, state, attempt, leased_by, leased_until)
       values ('events', $2, '{}', 'running', 1, $1, now() + interval '1 hour') returning *`,
      [lease.worker, kind],
    )
    await answer()
    return rows.map((row) => ({ ...row, id: Number(row.id), installation_id: 0 }))
  })
}

t.test('a worker that stops takes none any more, and puts back what it did not begin', async (t) => {
  const ground = await openGround(t)
  const { queue, worker, receive, begun, woken } = ground
  const held = gate()
  const storing = storeAnswered(ground, 'late', () => held.opened)
  const stopped = worker.stop()
  await receive(delivery('later'))
  t.equal(woken(), 1)
  held.open()
  await Promise.all([storing, stopped])
  t.same(await queue.rows('select kind, state, attempt, leased_by from jobs order by kind'), [
    { kind: 'late', state: 'queued', attempt: 0, leased_by: null },
    { kind: 'ping', state: 'queued', attempt: 0, leased_by: null },
  ])
  t.same(begun, [])
})

t.test('a row that is being stored is not put back with those that were lost', async (t) => {
  const ground = await openGround(t)
  const { queue, worker, begun, looks } = ground
  const answered = gate()
  const storing = storeAnswered(ground, 'stored', () => answered.opened)
  await until(async () => (await queue.rows('select from jobs')).length === 1)
  await t.rejects(
    worker.store(1, async () => Promise.reject(new Error('connection lost'))),
    /connection lost/,
  )
  const before = looks()
  worker.wake()
  await until(() => looks() > before)
  answered.open()
  await storing
  await until(async () => (await queue.rows(`select from jobs where state = 'done'`)).length === 1)
  t.same(
    begun.map(({ kind, attempt }) => ({ kind, attempt })),
    [{ kind: 'stored', attempt: 1 }],
  )
})

t.test('a row whose answer was lost is not kept until its lease ends', async (t) => {
  const ground = await openGround(t)
  const lost = storeAnswered(ground, 'ping', async () => {
    throw new Error('connection lost')
  })
  await t.rejects(lost, /connection lost/)
  await until(() => ground.begun.length === 1)
  t.match(ground.begun, [{ kind: 'ping', attempt: 2 }])
})
