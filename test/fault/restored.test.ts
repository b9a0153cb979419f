import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { systemClock } from '#clock.ts'
import { dispatchWave } from '#commands/dispatches/dispatch-wave.ts'
import { createPool } from '#db/pool.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { createLog } from '#log.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld, type World } from '#test/helpers/world.ts'
import { beginApplyOf } from '#test/scenes/applying.ts'
import {
  dispatched,
  dispatchedFor,
  dispatchedJob,
  shiftingClock,
  standing,
  withWorkflow,
} from '#test/scenes/dispatched.ts'
import { planning, query, secondInstance } from '#test/scenes/scene.ts'

/* A database restored to an earlier moment, as in docs/operations.md: the code host goes on from now. */

const statements = /```sql\n([\s\S]*?)```/.exec(
  readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8'),
)?.[1]

/** A copy of the world's database as it is now; no connection may be open to it at that moment. */
const backUp = async (t: Test, world: World): Promise<string> => {
  const from = new URL(world.env.DATABASE_URL ?? '')
  const name = `${from.pathname.slice(1)}-backup`
  const copy = Object.assign(new URL(from), { pathname: `/${name}` }).href
  const admin = new Client(Object.assign(new URL(from), { pathname: '/postgres' }).href)
  await admin.connect()
  t.teardown(async () => {
    await admin.query(`drop database if exists "${name}" with (force)`)
    await admin.end()
  })
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    from.pathname.slice(1),
  ])
  await admin.query(`create database "${name}" template "${from.pathname.slice(1)}"`)
  return copy
}

/** The world with its database restored from the backup, and an instance on it. */
const restore = async (
  t: Test,
  world: World,
  databaseUrl: string,
  clock: ReturnType<typeof shiftingClock>,
): Promise<World> => {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query(statements ?? '')
  await client.end()
  const pool = await createPool(databaseUrl, { log: createLog({ level: 'silent', format: 'text' }) })
  t.teardown(() => pool.end())
  const restored = { ...world, pool, env: { ...world.env, DATABASE_URL: databaseUrl } }
  return await secondInstance(t, restored, { clock })
}

/** Where the backup found an apply: its wave was requested, or its dispatch was a row already. */
for (const madeRows of [false, true]) {
  const when = madeRows ? 'before its dispatch was sent' : 'before its wave got dispatches'
  t.test(`an apply that started after a backup ${when} is not started again`, async (t) => {
    const world = await startWorld(t, { files: withWorkflow })
    const plan = await planning(world, ['network'])
    await plan.job.report(plan.id, 'network')
    await world.settled()
    await world.service.stop()
    const waves = [['network']]
    const applyId = await beginApplyOf(world, { pull: plan.pull, waves, planRunId: plan.id, environment: 'prod' })
    const runtime = createRuntime({ pool: world.pool, clock: systemClock })
    const deps = { pool: world.pool, runtime, clock: systemClock }
    if (madeRows) await dispatchWave(deps, { runId: applyId, wave: 0, cause: null })
    const backup = await backUp(t, world)

    const first = await secondInstance(t, world)
    world.github.setWebhookUrl(`${first.service.url}/webhooks/codehost`)
    const played = (await dispatched(first, applyId)).play()
    const job = dispatchedJob(first, played)
    t.equal((await job.join(applyId)).status, 200)
    t.equal((await job.report(applyId, 'network')).status, 200)
    played.complete('success')
    await world.settled()
    t.equal(await standing(first, applyId), 'applied: network applied')
    await first.service.stop()

    const clock = shiftingClock()
    clock.forward(3)
    const restored = await restore(t, world, backup, clock)
    await addJobs(restored.pool, [makeJob('reconcile', { what: 'runs' }, { cause: null })])
    await restored.github.deliveriesSettled()
    const busy = `select 1 from jobs where state in ('queued', 'running')`
    await until(async () => (await query(restored, busy)).length === 0)
    t.equal(dispatchedFor(world, applyId).length, 1, 'one workflow run, before and after')
    t.match(await standing(restored, applyId), /^\w+: network unknown$/)
    const [lock] = await query(restored, `select state from locks where run_id = '${applyId}'`)
    t.match(lock, { state: /^held/ }, 'until a person has looked')
  })
}
