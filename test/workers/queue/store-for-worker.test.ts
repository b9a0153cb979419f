import t, { type Test } from 'tap'
import { createReceiver, type ReceiveDelivery } from '#commands/host-news/receive-delivery.ts'
import { NotJson } from '#db/queue/deliveries.ts'
import { finishJobs } from '#db/queue/job-leases.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { until } from '#test/helpers/until.ts'
import { gate, openQueue, type Queue, silent } from '#test/scenes/queue.ts'
import { startWorker, type Worker } from '#workers/queue/worker.ts'

type Ground = { queue: Queue; worker: Worker; receive: ReceiveDelivery; begun: JobRow[]; woken(): number }

/** A worker of eight handlers that is never woken and polls after ten minutes, and deliveries that are stored beside it. */
const openGround = async (t: Test, work: () => Promise<unknown> = async () => {}): Promise<Ground> => {
  const queue = await openQueue(t)
  const { pool, clock, url: databaseUrl } = queue
  const begun: JobRow[] = []
  let woken = 0
  let hasLooked = false
  const seam = (step: string): void => {
    hasLooked ||= step.startsWith('after ') && step.includes('update jobs')
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
  await until(() => hasLooked)
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

t.test('none goes before those that wait already', async (t) => {
  const slow = gate()
  const { queue, worker, receive, begun } = await openGround(t, () => slow.opened)
  await queue.add(...Array.from({ length: 20 }, (_, index) => ({ key: `${index}`, installationId: index + 1 })))
  worker.wake()
  await until(() => begun.length === 8)
  await receive(delivery('late'))
  t.match((await states(queue)).at(-1), { delivery_id: 'late', state: 'queued' })
  slow.open()
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

t.test('a worker that stops has none any more, and puts back what it did not begin', async (t) => {
  const { queue, worker, receive, begun } = await openGround(t)
  const received = Array.from({ length: 2 }, (_, index) => receive(delivery(`${index}`)))
  await Promise.all([...received, worker.stop()])
  await receive(delivery('later'))
  const rows = (await queue.rows('select delivery_id, state from jobs order by id')) as { state: string }[]
  t.equal(rows.length, 3)
  t.equal(rows.filter(({ state }) => state === 'done').length, begun.length)
  t.equal(rows.filter(({ state }) => state === 'queued').length, 3 - begun.length)
})

t.test('a row whose answer was lost is not kept until its lease ends', async (t) => {
  const { queue, worker, begun } = await openGround(t)
  const lost = worker.store(1, async (lease) => {
    await queue.rows(
      `insert into jobs (queue, kind, payload, state, attempt, leased_by, leased_until)
       values ('events', 'ping', '{}', 'running', 1, $1, now() + interval '1 hour')`,
      [lease.worker],
    )
    throw new Error('connection lost')
  })
  await t.rejects(lost, /connection lost/)
  await until(() => begun.length === 1)
  t.match(begun, [{ kind: 'ping', attempt: 2 }])
})
