import t, { type Test } from 'tap'
import { addJobs } from '#db/jobs.ts'
import { type Leadership, seekLeadership } from '#db/leadership.ts'
import { entries, startScheduler } from '#workers/scheduler.ts'
import { openQueue, silent, until } from './queue.ts'

t.test('what is done by the clock, and when', async (t) => {
  t.same(
    entries.map(({ cron, job }) => `${cron}: ${job().kind} ${job().key}`),
    [
      '* * * * *: reconcile runs',
      '*/10 * * * *: reconcile deliveries',
      '5-59/10 * * * *: reconcile pull_requests',
      '0 4 * * *: sync_installations all',
      '30 4 * * *: reconcile tags',
    ],
  )
})

t.test('a tick whose job still waits is not doubled', async (t) => {
  const { pool, rows } = await openQueue(t)
  for (const { job } of [...entries, ...entries]) await addJobs(pool, [job()])
  t.match(await rows('select count(*)::int as jobs from jobs'), [{ jobs: entries.length }])
})

type Candidate = { leads: boolean; changes: boolean[]; leadership: Leadership }

const candidate = (t: Test, url: string): Candidate => {
  const one: Candidate = { leads: false, changes: [], leadership: { stop: async () => {} } }
  const onChange = (leads: boolean): void => {
    one.leads = leads
    one.changes.push(leads)
  }
  one.leadership = seekLeadership({ url, log: silent, onChange, everyMs: 20 })
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
  t.match(await rows(backends), { length: 1 }, 'and one only')
  for (const { changes } of candidates) {
    for (const [at, leads] of changes.entries()) t.equal(leads, at % 2 === 0, 'told in turns')
  }
})

t.test('the gauge says who leads, and ticks end with the lead', async (t) => {
  const { url, pool } = await openQueue(t)
  const gauges: boolean[][] = [[], []]
  const schedulers = gauges.map((gauge) =>
    startScheduler({
      ...{ databaseUrl: url, pool, log: silent, wake: () => {}, everyMs: 20 },
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
