import t from 'tap'
import { addDeliveries } from '#db/queue/deliveries.ts'
import { finishJobs } from '#db/queue/job-leases.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import { until } from '#test/helpers/until.ts'
import { gate, openQueue, silent } from '#test/scenes/queue.ts'
import { startWorker } from '#workers/queue/worker.ts'

const keys = (jobs: JobRow[]) => jobs.map(({ key }) => key)

const ofInstallation = (id: number, ...names: string[]) => names.map((key) => ({ key, installationId: id }))

t.test('the installations that wait take turns, however many rows one has, with lanes or without', async (t) => {
  const queue = await openQueue(t)
  await queue.add(...ofInstallation(5, 'a', 'b', 'c', 'd'), ...ofInstallation(6, 'e'), { key: 'f' })
  await queue.add({ key: 'g', lane: 'g', installationId: 5 }, { key: 'h', lane: 'h', installationId: 7 })
  await queue.rows(`update jobs set run_at = now() - interval '1 minute' where installation_id = 5`)
  t.same(keys(await queue.claim({ limit: 4 })), ['a', 'e', 'f', 'h'])
  t.same(
    keys(await queue.claim({ limit: 2, share: { most: 2, held: new Map([[5, 1]]) } })),
    ['b'],
    'no more than its share',
  )
  t.same(keys(await queue.claim({ share: { most: 2, held: new Map([[5, 2]]) } })), [])
  t.same(keys(await queue.claim({ share: { most: 5, held: new Map([[5, 3]]) } })), ['c', 'd'])
})

t.test('a row is of the installation that its payload names, or whose repository or run it names', async (t) => {
  const queue = await openQueue(t)
  await queue.rows(
    `insert into installations (id, account_id, account_login, account_type) values (5, 1, 'acme', 'User')`,
  )
  await queue.rows(`insert into repositories (id, installation_id, owner, name, default_branch)
    values (7, 5, 'acme', 'infra', 'main')`)
  await queue.add({ key: 'repo', payload: { repo_id: 7 } }, { key: 'none' }, { key: 'given', installationId: 6 })
  const delivery = (id: string, payload: unknown) => ({ id, event: 'push', payload: JSON.stringify(payload) })
  await addDeliveries(queue.pool, [
    delivery('of 9', { installation: { id: 9 } }),
    delivery('odd', { installation: { id: 'x' } }),
    delivery('huge', { installation: { id: 1e30 } }),
  ])
  const rows = await queue.rows(
    'select coalesce(key, delivery_id) as name, installation_id::int as of from jobs order by 1',
  )
  t.same(
    rows.map(({ name, of }) => `${name} ${of}`),
    ['given 6', 'huge 0', 'none 0', 'odd 0', 'of 9 9', 'repo 5'],
  )
})

t.test('of one lane, and of one installation, the most urgent row goes first, if it is due', async (t) => {
  const queue = await openQueue(t)
  const row = (key: string, lane: string | null, priority: number) => ({ key, lane, priority, installationId: 5 })
  await queue.add(
    row('stacks', 'shown', 3),
    row('late', 'shown', 2),
    row('dispatch', 'dispatches', 0),
    row('answer', null, 1),
  )
  await queue.rows(`update jobs set run_at = now() + interval '1 minute' where key = 'late'`)
  const share = { most: 1, held: new Map<number, number>() }
  t.same(keys(await queue.claim({ share })), ['dispatch'])
  t.same(keys(await queue.claim({ share })), ['answer'])
  t.same(keys(await queue.claim({ share })), ['stacks'], 'not held back by one that is not due')
  await queue.rows(`update jobs set state = 'queued', run_at = now() where key in ('stacks', 'late')`)
  t.same(keys(await queue.claim({ share })), ['late'])
})

t.test('handlers that hang for one installation take half of the worker, and hold no other back', async (t) => {
  const queue = await openQueue(t)
  const hung = gate()
  const many = Array.from({ length: 40 }, (_, index) => `${index}`)
  await queue.add(
    ...many.map((key) => ({ key: `hung ${key}`, installationId: 5 })),
    ...many.map((key) => ({ key: `hung lane ${key}`, lane: key, installationId: 5 })),
  )
  const running = new Set<string>()
  let ended = 0
  const worker = startWorker({
    ...{ pool: queue.pool, databaseUrl: queue.url, clock: { now: () => new Date() }, log: silent },
    ...{ concurrency: 8, leaseSeconds: 30, pollMs: 20 },
    runJob: async (id, { id: row, key }) => {
      running.add(key ?? '')
      if (key?.startsWith('hung')) await hung.opened
      running.delete(key ?? '')
      await finishJobs(queue.pool, id, [row], 'done')
      ended += 1
    },
  })
  t.teardown(() => worker.stop())
  await until(() => running.size === 4)
  for (let round = 1; round <= 3; round += 1) {
    await queue.add(...many.slice(0, 9).map((key) => ({ key: `${round} ${key}`, installationId: 6 })))
    worker.wake()
    await until(() => ended === round * 9)
  }
  t.equal(running.size, 4)
  hung.open()
  await until(() => ended === 80 + 27)
})
