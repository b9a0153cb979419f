import { Client } from 'pg'
import t, { type Test } from 'tap'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import { beginPublication } from '#db/runs/publications.ts'
import { createLog } from '#log.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'
import { query } from '#test/scenes/served.ts'

const log = createLog({ level: 'silent', format: 'json' })

const result = (runId: string, key: string): Message => ({
  to: { kind: 'stack', runId, key },
  event: { type: 'result.reported', outcome: 'changes', digest: key },
  actor: 'test',
  document: () => ({ body: { mode: 'plan', status: 'success', exit_code: 2 }, plan_text: 'a plan' }),
})

/** A run of four stacks, published and with nothing queued; and when each commit said that its first job is due. */
const open = async (t: Test) => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log })
  t.teardown(() => pool.end())
  await seedRepository(pool)
  const due: number[] = []
  const runtime = createRuntime({ pool, clock: systemClock, onJobs: (inMs) => due.push(inMs) })
  const { runId } = await seedRun(pool, runtime, { waves: [['a', 'b', 'c', 'd']] })
  await query(url, ['delete from jobs'])
  due.length = 0
  /** The row in which the job waits now, if it does: another one if anything wrote to it. */
  const job = async () =>
    (
      await query(url, [
        "select ctid, xmax, run_at > now() + interval '10 s' as later from jobs where state = 'queued'",
      ])
    )[0]
  const begin = (everyMs: number) => beginPublication(pool, { runId, everyMs, stacks: 50 })
  return { url, pool, runtime, runId, due, job, begin }
}

t.test('results that come while a run may not be published again share one job, and write nothing to it', async (t) => {
  const { runtime, runId, due, job, begin } = await open(t)
  await runtime.send(result(runId, 'a'))
  const first = await job()
  t.match(first, { later: false }, 'the first is published at once')
  t.ok(due.length === 1 && (due[0] ?? 1) <= 0)
  await runtime.send(result(runId, 'b'))
  t.same(await job(), first, 'it waits already: its row is neither written nor locked')
  t.equal(due.length, 1, 'and no worker is woken for it')
  t.same(await begin(60_000), { status: 'planning', more: false })
})

t.test('a job is due when the run may be published again, and at once when the run ends', async (t) => {
  const { url, runtime, runId, due, job, begin } = await open(t)
  await begin(60_000)
  await runtime.send(result(runId, 'a'))
  const first = await job()
  t.match(first, { later: true })
  t.ok((due[0] ?? 0) > 50_000 && (due[0] ?? 0) <= 60_000, `due in ${due[0]} ms`)
  await Promise.all(['b', 'c'].map((key) => runtime.send(result(runId, key))))
  t.same(await job(), first)
  await runtime.send(result(runId, 'd'))
  t.match(await job(), { later: false }, 'the end is shown at once')
  t.ok((due[1] ?? 1) <= 0)
  t.equal((await query(url, ['select id from jobs'])).length, 1)
})

t.test('a job that was put off after a failure waits as long as it was put off', async (t) => {
  const { url, runtime, runId, job } = await open(t)
  await runtime.send(result(runId, 'a'))
  await query(url, ["update jobs set last_error = 'refused', run_at = now() + interval '1 hour'"])
  const putOff = await job()
  await runtime.send(result(runId, 'b'))
  t.same(await job(), putOff)
})

t.test('who publishes waits for the transaction that may have found the job waiting', async (t) => {
  const { pool, url, runId, begin } = await open(t)
  const order: string[] = []
  const holder = new Client(url)
  await holder.connect()
  await holder.query(`begin; select from runs where id = '${runId}' for no key update`)
  const began = begin(0).then(() => order.push('published'))
  const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%publications%'"
  await until(async () => (await query(url, [waits])).length > 0)
  order.push('changed')
  await holder.query('commit')
  await holder.end()
  await began
  t.same(order, ['changed', 'published'])
  t.equal(
    await beginPublication(pool, { runId: '01890000-0000-7000-8000-000000000000', everyMs: 0, stacks: 1 }),
    undefined,
  )
})
