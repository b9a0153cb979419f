import t from 'tap'
import { readDelivery } from '#codehost/github/deliveries.ts'
import type { CodeHost } from '#codehost/port.ts'
import { RetryAfter } from '#codehost/retry-after.ts'
import { createReceiver } from '#commands/host-news/receive-delivery.ts'
import { createResolver } from '#commands/resolving/resolver.ts'
import { NotJson } from '#db/queue/deliveries.ts'
import { addJobs, queueDepths } from '#db/queue/jobs.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { Problem } from '#errors.ts'
import { createMetrics } from '#metrics.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { until } from '#test/helpers/until.ts'
import { gate, jobOf, openQueue, type Queue, silent, workerId } from '#test/scenes/queue.ts'
import type { HandlerDeps } from '#workers/handler.ts'
import { requestSync } from '#workers/handlers/request-sync.ts'
import { type JobOutcome, jobRunner } from '#workers/queue/run-job.ts'
import { startWorkers } from '#workers/workers.ts'

/** A code host without installations, which runs the given function when asked for them. */
const codeHost = (listInstallations: CodeHost['listInstallations']): CodeHost => {
  const host = { listInstallations } as CodeHost
  host.causedBy = () => host
  return host
}

const depsOf = ({ pool, clock }: Queue, listInstallations: CodeHost['listInstallations'] = async () => []) => ({
  pool,
  findRepository: createRepositoryLookUp(pool),
  clock,
  runtime: createRuntime({ pool, clock }),
  codehost: codeHost(listInstallations),
  log: silent,
  resolver: createResolver(),
  metrics: createMetrics({ version: '0', commit: '0' }),
  baseUrl: 'http://svc.example.com',
  readDelivery,
  retention: { planText: 0, events: 0, drift: 0 },
  publishEveryMs: 0,
  pause: async () => {},
})

const failing = (error: Error) => async () => {
  throw error
}

/** Runs what is due once, as a worker would; returns the outcome of each. */
const runDue = async (queue: Queue, deps: HandlerDeps): Promise<string[]> => {
  const outcomes: JobOutcome[] = []
  const run = jobRunner(deps, (outcome) => outcomes.push(outcome))
  for (const job of await queue.claim()) await run(workerId, job, new AbortController().signal, () => {})
  return outcomes.map((outcome) => outcome.result)
}

const seconds = (from: Date, to: Date): number => (+to - +from) / 1000

t.test('a failed job is tried again after 1 min, 5 min, 30 min and 2 h, and is dead after 5 attempts', async (t) => {
  const queue = await openQueue(t)
  const deps = depsOf(queue, failing(new Problem('unavailable', 'github: no answer')))
  await requestSync(queue.pool)
  for (const [attempt, delay] of [60, 300, 1800, 7200].entries()) {
    t.same(await runDue(queue, deps), ['error'], `attempt ${attempt + 1}`)
    const [row] = await queue.rows('select state, attempt, run_at, last_error, leased_by, finished_at from jobs')
    t.match(row, { state: 'queued', attempt: attempt + 1, last_error: 'github: no answer', leased_by: null })
    t.equal(seconds(queue.clock.now(), row.run_at), delay)
    t.equal(row.finished_at, null)
    queue.clock.pass(delay - 1)
    t.same(await runDue(queue, deps), [], 'not a second earlier')
    queue.clock.pass(1)
  }
  t.same(await runDue(queue, deps), ['dead'], 'attempt 5')
  queue.clock.pass(7 * 24 * 3600)
  t.same(await runDue(queue, deps), [], 'and never again')
  t.match(await queue.rows('select * from jobs'), [
    { state: 'dead', attempt: 5, last_error: 'github: no answer', finished_at: Date },
  ])
  await requestSync(queue.pool)
  t.same(await runDue(queue, depsOf(queue)), ['ok'], 'a new job is not dead with it')

  await requestSync(queue.pool)
  const [job] = await queue.claim()
  const slow = depsOf(queue, async () => {
    queue.clock.pass(30)
    return []
  })
  const lags: number[] = []
  await jobRunner(slow, ({ lagSeconds }) => lags.push(lagSeconds))(workerId, job, AbortSignal.any([]), () => {})
  t.same(lags, [seconds(job.created_at, queue.clock.now())], 'its lag lasts until it is handled')
})

t.test('a code host that asks for a wait gets it, and that is no attempt', async (t) => {
  const queue = await openQueue(t)
  const deps = depsOf(queue, failing(new RetryAfter('rate limited', 240)))
  await requestSync(queue.pool)
  for (let round = 0; round < 7; round++) {
    t.same(await runDue(queue, deps), ['error'])
    const [row] = await queue.rows('select * from jobs')
    t.match(row, { state: 'queued', attempt: 0, last_error: 'rate limited' })
    t.equal(seconds(queue.clock.now(), row.run_at), 240)
    await requestSync(queue.pool)
    queue.clock.pass(239)
    t.same(await runDue(queue, deps), [], 'a new job does not shorten it')
    queue.clock.pass(1)
  }
  t.same(await runDue(queue, depsOf(queue)), ['ok'])
  t.match(await queue.rows('select * from jobs'), [{ state: 'done', attempt: 1, last_error: null, finished_at: Date }])
})

t.test(
  'a job kind unknown to this version is left for a newer version beside it, which may have queued it',
  async (t) => {
    const queue = await openQueue(t)
    await queue.add({ kind: 'paint_the_shed', key: 'blue' })
    t.same(await runDue(queue, depsOf(queue)), ['error'])
    t.match(await queue.rows('select * from jobs'), [
      { state: 'queued', attempt: 1, last_error: 'this version has no handler for the job kind paint_the_shed' },
    ])
  },
)

t.test('a job running when the process is stopped continues elsewhere at once, and that was no attempt', async (t) => {
  const queue = await openQueue(t)
  await requestSync(queue.pool)
  const stopped = new AbortController()
  const deps = depsOf(queue, async () => {
    stopped.abort()
    stopped.signal.throwIfAborted()
    return []
  })
  const [job] = await queue.claim()
  await jobRunner(deps)(workerId, job, stopped.signal, () => {})
  t.match(await queue.rows('select state, attempt from jobs'), [{ state: 'queued', attempt: 0 }])
  t.same(await runDue(queue, depsOf(queue)), ['ok'])
})

t.test('a row that another worker has leased is not ended by its old worker', async (t) => {
  const queue = await openQueue(t)
  await requestSync(queue.pool)
  const [job] = await queue.claim()
  const other = '00000000-0000-0000-0000-00000000000a'
  await queue.rows('update jobs set leased_by = $1', [other])
  for (const listInstallations of [async () => [], failing(new Error('late'))]) {
    await jobRunner(depsOf(queue, listInstallations))(workerId, job, new AbortController().signal, () => {})
    t.match(await queue.rows('select * from jobs'), [{ state: 'running', leased_by: other, last_error: null }])
  }
})

const delivery = (id: string, event: string, payload: object = {}) => ({ id, event, payload: JSON.stringify(payload) })

t.test('a delivery is queued once by its id, whatever became of it', async (t) => {
  const queue = await openQueue(t)
  const deps = depsOf(queue)
  const receive = createReceiver(deps)
  t.equal(await receive(delivery('one', 'ping')), 'queued')
  t.equal(await receive(delivery('one', 'ping')), 'duplicate', 'while it waits')
  for (const [id, others] of [
    ['two', [1, 2, 3].map(() => receive)],
    ['three', [1, 2, 3].map(() => createReceiver(deps))],
  ] as const) {
    const together = await Promise.all(others.map((other) => other(delivery(id, 'ping'))))
    t.same(together.sort(), ['duplicate', 'duplicate', 'queued'], 'also if they come together')
  }
  await runDue(queue, deps)
  t.equal(await receive(delivery('one', 'ping')), 'duplicate', 'after it was handled')
  t.same(await queue.rows('select delivery_id, state from jobs order by delivery_id'), [
    { delivery_id: 'one', state: 'ignored' },
    { delivery_id: 'three', state: 'ignored' },
    { delivery_id: 'two', state: 'ignored' },
  ])
})

t.test('a delivery that cannot be stored does not take along those that come with it', async (t) => {
  const queue = await openQueue(t)
  const receive = createReceiver(depsOf(queue))
  const long = JSON.stringify({ pad: 'x'.repeat(300_000) })
  const received = await Promise.allSettled([
    ...Array.from({ length: 20 }, (_, index) => receive(delivery(`${index}`, 'ping'))),
    receive({ id: 'broken', event: 'ping', payload: '{"a":' }),
    receive({ id: 'long', event: 'ping', payload: long }),
  ])
  const refused = received[20]
  t.ok(refused?.status === 'rejected' && refused.reason instanceof NotJson)
  const stored = received.filter((one) => one.status === 'fulfilled' && one.value === 'queued')
  t.equal(stored.length, 21)
  t.match(await queue.rows(`select count(*)::int from jobs where queue = 'events' and cause = delivery_id`), [
    { count: 21 },
  ])
})

t.test('a delivery that means nothing here, or cannot be read, is ignored', async (t) => {
  const queue = await openQueue(t)
  const deps = depsOf(queue)
  await createReceiver(deps)(delivery('unknown', 'sponsorship', { action: 'created' }))
  await createReceiver(deps)(delivery('broken', 'pull_request', { action: 'opened' }))
  await createReceiver(deps)(delivery('push', 'push', { ref: 'refs/heads/main' }))
  t.same(await runDue(queue, deps), ['ignored', 'ignored', 'ignored'])
  t.same(await queueDepths(queue.pool), [])
})

const installation = { id: 5, account: { id: 1, login: 'acme', type: 'Organization' }, suspended_at: null }

t.test('deliveries about installations lead to one synchronisation, and two never run at once', async (t) => {
  const queue = await openQueue(t)
  const asked: number[] = []
  const first = gate()
  let busy = 0
  const deps = depsOf(queue, async () => {
    asked.push(++busy)
    await first.opened
    busy -= 1
    return []
  })
  for (const id of ['one', 'two', 'three']) {
    await createReceiver(deps)(delivery(id, 'installation', { action: 'created', installation, repositories: [] }))
  }
  t.same(await runDue(queue, deps), ['ok', 'ok', 'ok'])
  t.same(await queue.rows(`select kind, key, cause from jobs where queue = 'jobs'`), [
    { kind: 'sync_installations', key: 'all', cause: 'three' },
  ])
  const workers = startWorkers({
    databaseUrl: queue.url,
    ...deps,
    metrics: createMetrics({ version: '1', commit: 'c' }),
    concurrency: 4,
  })
  t.teardown(() => workers.stop())
  await until(() => busy === 1)
  await requestSync(queue.pool)
  await createReceiver(deps)(delivery('later', 'ping'))
  workers.wake()
  const done = `select from jobs where delivery_id = 'later' and state = 'ignored'`
  await until(async () => (await queue.rows(done)).length === 1)
  t.same(asked, [1], 'a delivery after the second was handled, and the second waits')
  first.open()
  await until(async () => (await queueDepths(queue.pool)).length === 0)
  t.same(asked, [1, 1], 'one after the other')
})

/** The lines of some metrics, without their help texts. */
const shown = async (metrics: ReturnType<typeof createMetrics>, names: RegExp): Promise<string[]> =>
  (await metrics.expose()).text.split('\n').filter((line) => names.test(line) && !line.startsWith('#'))

const depthOf = async (queue: Queue): Promise<string[]> => {
  const metrics = createMetrics({ version: '1', commit: 'c' })
  const workers = startWorkers({ databaseUrl: queue.url, ...depsOf(queue), metrics, concurrency: 1, leaseSeconds: 30 })
  await until(async () => (await shown(metrics, /svc_queue_depth\{/)).length === 2)
  await workers.stop()
  return (await shown(metrics, /svc_queue_depth\{/)).sort()
}

t.test('attempts are counted by kind and outcome; the depth counts what waits or runs', async (t) => {
  const queue = await openQueue(t)
  const later = new Date(+queue.clock.now() + 3_600_000)
  await addJobs(queue.pool, [jobOf({ kind: 'later', runAt: later }), jobOf({ kind: 'later', runAt: later })])
  t.same(await depthOf(queue), ['svc_queue_depth{queue="events"} 0', 'svc_queue_depth{queue="jobs"} 2'])

  const metrics = createMetrics({ version: '1', commit: 'c' })
  const deps = depsOf(queue, failing(new Error('no')))
  const workers = startWorkers({ databaseUrl: queue.url, ...deps, metrics, concurrency: 2 })
  t.teardown(() => workers.stop())
  await queue.rows(`insert into jobs (queue, kind, payload, attempt) values ('jobs', 'paint_the_shed', '{}', 4)`)
  await addJobs(queue.pool, [jobOf({ payload: { run_id: crypto.randomUUID() } })])
  await requestSync(queue.pool)
  for (const [id, event] of Object.entries({ a: 'ping', b: 'made_up' })) await createReceiver(deps)(delivery(id, event))
  workers.wake()
  await until(async () => (await shown(metrics, /processed_total\{.* [1-9]/)).length === 5)
  t.same((await shown(metrics, /processed_total\{.* [1-9]/)).sort(), [
    'svc_events_processed_total{kind="other",result="ignored"} 1',
    'svc_events_processed_total{kind="ping",result="ignored"} 1',
    'svc_jobs_processed_total{kind="paint_the_shed",result="dead"} 1',
    'svc_jobs_processed_total{kind="publish_run",result="ignored"} 1',
    'svc_jobs_processed_total{kind="sync_installations",result="error"} 1',
  ])
  const none = await shown(metrics, / 0$/)
  for (const line of [
    'svc_events_dead_total{kind="push"} 0',
    'svc_jobs_processed_total{kind="prune",result="dead"} 0',
  ]) {
    t.ok(none.includes(line), `${line}: an alert sees no increase in what begins with 1`)
  }
  t.same(await shown(metrics, /svc_webhook_lag_seconds_count/), ['svc_webhook_lag_seconds_count 2'])
  t.same(
    [...(await queueDepths(queue.pool))].sort((a, b) => a.state.localeCompare(b.state)),
    [
      { queue: 'jobs', state: 'dead', count: 1 },
      { queue: 'jobs', state: 'queued', count: 3 },
    ],
  )
})
