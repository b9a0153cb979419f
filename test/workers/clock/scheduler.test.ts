import { once } from 'node:events'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { readConfig } from '#config.ts'
import { type Leadership, seekLeadership } from '#db/queue/leadership.ts'
import { startService } from '#service.ts'
import { supervise } from '#test/fault/supervised.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { openQueue, silent } from '#test/scenes/queue.ts'
import { query } from '#test/scenes/scene.ts'
import { severable } from '#test/scenes/severable.ts'
import { dueTicks, entries } from '#workers/clock/schedule.ts'
import { queueDue, startScheduler } from '#workers/clock/scheduler.ts'

t.test('the schedule has these entries at these times', async (t) => {
  t.same(
    entries.map(({ cron, job }) => `${cron}: ${job.kind} ${job.key}`),
    [
      '* * * * *: reconcile runs',
      '* * * * *: schedule_drift due',
      '*/10 * * * *: reconcile deliveries',
      '5-59/10 * * * *: reconcile pull_requests',
      '27 * * * *: stale_locks all',
      '47 * * * *: prune all',
      '7 * * * *: make_months all',
      '17 * * * *: archive_history all',
      '0 4 * * *: sync_installations all',
      '30 4 * * *: reconcile tags',
    ],
  )
})

t.test('the noted ticks decide which tick is due', async (t) => {
  const cases = [
    // line          noted                now                     due                  why
    ['* * * * *', '2026-03-02T11:59', '2026-03-02T12:00:00Z', '2026-03-02T12:00', 'the minute begins'],
    ['* * * * *', '2026-03-02T12:00', '2026-03-02T12:00:30Z', undefined, 'already queued'],
    ['* * * * *', '2026-03-02T12:00', '2026-03-02T12:00:56Z', '2026-03-02T12:01', 'a clock that is ahead says so'],
    ['* * * * *', '2026-03-02T09:00', '2026-03-02T12:00:00Z', '2026-03-02T12:00', 'of many, only the last'],
    ['0 4 * * *', '2026-03-01T04:00', '2026-03-02T03:59:00Z', undefined, 'not yet'],
    ['0 4 * * *', '2026-03-01T04:00', '2026-03-02T04:07:00Z', '2026-03-02T04:00', 'no leader at four'],
    ['0 4 * * *', '2026-02-20T04:00', '2026-03-02T03:00:00Z', '2026-03-01T04:00', 'nor for days'],
    ['0 4 * * *', '2027-03-02T04:00', '2026-03-02T05:00:00Z', '2026-03-02T04:00', 'the clock was put back'],
    ['0 0 30 2 *', '2026-03-02T04:00', '2026-03-02T05:00:00Z', undefined, 'never'],
  ] as const
  for (const [cron, noted, now, due, why] of cases) {
    const ticks = new Map([['entry', new Date(`${noted}:00Z`)]])
    const found = dueTicks([{ name: 'entry', cron }], ticks, new Date(now))
    t.same(
      found.map(({ at, isNew }) => [at.toISOString().slice(0, 16), isNew]),
      due === undefined ? [] : [[due, false]],
      why,
    )
  }
  t.match(dueTicks([{ name: 'new', cron: '0 4 * * *' }], new Map(), new Date()), [{ isNew: true }])
})

t.test('a tick is queued once, even if two instances believe they lead; a missed one too', async (t) => {
  const { pool, other, rows } = await openQueue(t)
  let woken = 0
  const look = () =>
    Promise.all([pool, other, pool, other].map((pool) => queueDue({ pool, log: silent, wake: () => woken++ }, entries)))
  const queued = async () =>
    (
      await rows(`with gone as (delete from jobs returning kind, key) select kind, key from gone order by kind, key`)
    ).map(({ kind, key }) => `${kind} ${key}`)
  await look()
  t.same(await queued(), [], 'a new entry has nothing to make up for')
  await rows(`update scheduled_ticks set last_tick_at = last_tick_at - interval '3 days'`)
  await look()
  t.same(
    await queued(),
    entries.map(({ job }) => `${job.kind} ${job.key}`).sort(),
    'a missed tick is made up for, and three missed days are one tick',
  )
  t.equal(woken, entries.length)
  await rows(`update scheduled_ticks set last_tick_at = last_tick_at + interval '3 days'`)
  await look()
  t.same(await queued(), entries.map(({ job }) => `${job.kind} ${job.key}`).sort(), 'noted by a clock put back since')
  await rows(`update scheduled_ticks set last_tick_at = last_tick_at - interval '2 days' where entry like 'sync%'`)
  await rows(`create rule refused as on insert to jobs do instead select 1 / 0`)
  await t.rejects(look())
  await rows(`drop rule refused on jobs`)
  await look()
  t.same(await queued(), ['sync_installations all'], 'a tick that could not be queued is not noted')
})

type Candidate = { leads: boolean; changes: boolean[]; at: number; leadership: Leadership }

/** Long enough that a busy machine is not mistaken for a cut line. */
const everyMs = 250

const candidate = (t: Test, url: string): Candidate => {
  const one: Candidate = { leads: false, changes: [], at: 0, leadership: { stop: async () => {} } }
  const onChange = (leads: boolean): void => {
    one.leads = leads
    one.changes.push(leads)
    one.at = performance.now()
  }
  one.leadership = seekLeadership({ url, log: silent, onChange, everyMs })
  t.teardown(() => one.leadership.stop())
  return one
}

const backends = `select pid from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`

t.test('one instance leads; another takes over when it stops, or when its session is lost', async (t) => {
  const { url, rows } = await openQueue(t)
  const candidates = [candidate(t, url), candidate(t, url), candidate(t, url)]
  const leaders = () => candidates.filter(({ leads }) => leads)
  await until(() => leaders().length === 1)
  const [first] = leaders()
  await first?.leadership.stop()
  t.equal(first?.leads, false)
  await until(() => leaders().length === 1)
  const [second] = leaders()
  t.not(second, first)
  const [{ pid }] = await rows(backends)
  await rows('select pg_terminate_backend($1)', [pid])
  await until(() => second?.changes.includes(false) === true && leaders().length === 1)
  t.match(await rows(backends), { length: 1 }, 'and only one')
  for (const { changes } of candidates) {
    for (const [at, leads] of changes.entries()) t.equal(leads, at % 2 === 0, 'notified in turns')
  }
})

t.test('a leader that is silently cut off knows it before another leads', async (t) => {
  const { url } = await openQueue(t)
  const line = await severable(t, url)
  const first = candidate(t, line.url)
  await until(() => first.leads)
  const second = candidate(t, url)
  line.freeze()
  await until(() => second.leads)
  t.same(first.changes, [true, false])
  t.ok(first.at < second.at)
  await line.sever()
})

t.test('the gauge shows who leads, and ticks stop when the lead ends', async (t) => {
  const { url, pool } = await openQueue(t)
  const gauges: boolean[][] = [[], []]
  const schedulers = gauges.map((gauge) =>
    startScheduler({
      ...{ databaseUrl: url, pool, log: silent, wake: () => {}, everyMs },
      metrics: { schedulerLeader: (leads) => gauge.push(leads) },
    }),
  )
  const last = (gauge: boolean[] | undefined) => gauge?.at(-1)
  await until(() => gauges.some((gauge) => last(gauge) === true))
  const leader = gauges.findIndex((gauge) => last(gauge) === true)
  t.equal(last(gauges[1 - leader]), false)
  await schedulers[leader]?.stop()
  t.equal(last(gauges[leader]), false)
  await until(() => last(gauges[1 - leader]) === true)
  await schedulers[1 - leader]?.stop()
  t.same(gauges[1 - leader], [false, true, false])
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

t.test('of two processes, the other leads within seconds of kill -9, and queues what was missed, once', async (t) => {
  const world = await startWorld(t)
  const port = await freePort()
  const killed = supervise({ ...world.env, SVC_LISTEN: `127.0.0.1:${port}` }, 30)
  t.teardown(() => killed.close())
  const read = readConfig(world.env)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const gauge = async (url: string) =>
    /^svc_scheduler_leader (\d)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
  killed.start()
  await killed.up()
  const first = `http://127.0.0.1:${port}`
  await until(async () => (await gauge(first)) === '1')
  const survivor = await startService(read.config, { paced: false, log: silent })
  t.teardown(() => survivor.stop())
  t.equal(await gauge(survivor.url), '0')
  const jobs = (text: string) => query(world, text)
  await until(async () => (await jobs('select from scheduled_ticks')).length === entries.length)
  await world.settled()
  await jobs(`update scheduled_ticks set last_tick_at = last_tick_at - interval '1 day' where entry like '%tags%'`)
  const missed = `kind = 'reconcile' and key = 'tags'`
  const at = performance.now()
  await killed.end()
  await until(async () => (await gauge(survivor.url)) === '1')
  t.ok(performance.now() - at < 10_000)
  await until(async () => (await jobs(`select from jobs where ${missed}`)).length > 0)
  await world.settled()
  t.match(await jobs(`select state from jobs where ${missed}`), [{ state: 'done' }])
})
