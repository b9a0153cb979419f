import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { report } from '#test/scenes/applying.ts'
import { answersTo, comment, newestRun, planned, policy, runsOf } from '#test/scenes/commenting.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, dependsOn, hostGate, query, send } from '#test/scenes/scene.ts'

/* Windows on the database's clock: that of the service's machine is an hour ahead. */

const hour = 3_600_000
const host = hostGate()
const machineClock = { now: () => new Date(Date.now() + hour) }
const world = await startWorld(t, { files: withWorkflow, replaced: { machineClock, fetch: host.fetch } })
const { github, repository } = world
for (const login of ['ada', 'rob', 'eve']) repository.setPermission(login, 'write')
const key = await addKey(world)

/** The days and times around now, by UTC. */
const around = (fromMs: number, toMs: number): string =>
  [fromMs, toMs].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 16)).join('..')

const shut = around(-hour / 2, hour / 2)
const past = around(-3 * hour, -2 * hour)

t.test('it is as late as the database says, whatever an instance thinks', async (t) => {
  await policy(world, { windows: [{ deny: shut }] })
  const { pull } = await planned(world, ['off/a'])
  t.match(
    (await comment(world, pull, 'svc apply')).answers,
    [/`window`: Now no apply begins at/],
    'over by its own clock',
  )
  await policy(world, { windows: [{ deny: around(hour / 2, 2 * hour) }] })
  t.same((await comment(world, pull, 'svc apply')).answers, [], 'and not begun by the database’s')
})

/** Of the database. */
const minuteNow = async (): Promise<number> => {
  const [row] = await query(world, 'select floor(extract(epoch from clock_timestamp()) / 60)::int as minute')
  return row?.minute
}

t.test('a freeze that begins between the gate and the first dispatch refuses', async (t) => {
  const { pull } = await planned(world, ['between/a'])
  const begins = (await minuteNow()) + 1
  const from = new Date(begins * 60_000).toISOString().slice(0, 16)
  await policy(world, { approvals: 1, windows: [{ deny: `${from}..${around(0, hour).slice(-16)}` }] })
  pull.review('eve', 'approve')
  // the gate has read the policy and the time, and asks who approved
  const base = new URL(github.url).pathname.replace(/\/$/, '')
  const held = host.hold(`${base}/repos/acme/infra/pulls/${pull.number}/reviews`)
  const { id } = pull.comment('svc apply', 'rob')
  await held.arrived
  await until(async () => (await minuteNow()) >= begins)
  held.release()
  await world.settled()
  t.same(await runsOf(world, pull, 'apply'), [])
  t.match(answersTo(pull, `comment ${id}`), [/`window`: Now no apply begins at/])
})

const waiting = async (windows: object[], keys: [string, string]) => {
  await policy(world, { windows: [{ deny: past, hold: 'waves' }] })
  const { pull } = await planned(world, [...keys], [dependsOn(keys[1], keys[0])])
  t.same((await comment(world, pull, 'svc apply')).answers, [])
  const id = await newestRun(world, pull, 'apply')
  await policy(world, { windows })
  await report(world, id, keys[0])
  await world.settled()
  return { pull, id }
}

/** `stack: status` of each stack of a run, and how many dispatches it has. */
const standing = async (id: string): Promise<string[]> => {
  const rows = await query(world, `select key, status from run_stacks where run_id = '${id}' order by key`)
  const [sent] = await query(world, `select count(*)::int as count from dispatches where run_id = '${id}'`)
  return [...rows.map(({ key: name, status }) => `${name}: ${status}`), `${sent?.count} sent`]
}

/** Rings the timer that a run's next wave waits for, and sees what comes of it. */
const isDue = async (id: string): Promise<void> => {
  const named = `id = '${id}' and name = 'window'`
  const ring = `update timers set due_at = now() - interval '1 s' where ${named} returning name`
  await until(async () => (await query(world, ring)).length > 0)
  await until(async () => (await query(world, `select 1 from timers where ${named} and due_at < now()`)).length === 0)
  await world.settled()
}

t.test('the next wave waits inside of a window that holds waves, says so, and begins by itself', async (t) => {
  const { pull, id } = await waiting([{ deny: shut, hold: 'waves', reason: 'a freeze' }], ['wait/a', 'wait/b'])
  t.same(await standing(id), ['wait/a: applied', 'wait/b: pending', '1 sent'])
  const { body } = await send(world, key, `/v1/runs/${id}`)
  t.match(body.warnings, [
    {
      code: 'wave_held',
      message: /^wave 2 is held until \w+ .* UTC: no apply begins at .*: a freeze\. It begins by itself/,
    },
  ])
  const shown = pull.checkRuns().find(({ name }) => name === 'svc/apply')
  t.match(shown?.summary, /wave 2 is held until/, 'the check run says it')
  const [timer] = await query(
    world,
    `select extract(epoch from due_at - clock_timestamp())::int as seconds from timers where id = '${id}' and name = 'window'`,
  )
  t.ok(timer?.seconds > 0 && timer?.seconds <= 3600, `${timer?.seconds}`)
  await isDue(id)
  t.same(await standing(id), ['wait/a: applied', 'wait/b: pending', '1 sent'], 'still shut')
  t.equal((await send(world, key, `/v1/runs/${id}`)).body.warnings.length, 1, 'said once')
  await policy(world, { windows: [{ deny: past, hold: 'waves' }] })
  await isDue(id)
  t.same(await standing(id), ['wait/a: applied', 'wait/b: applying', '2 sent'])
})

t.test('a wave that is held for long is not taken for one whose job was lost', async (t) => {
  const { id } = await waiting([{ deny: shut, hold: 'waves' }], ['long/a', 'long/b'])
  const aged = `update runs set started_at = started_at - interval '10 minutes' where id = '${id}' returning installation_id`
  const [run] = await query(world, aged)
  await addJobs(world.pool, [
    makeJob('reconcile', { what: 'runs' }, { cause: null }),
    // and one that was queued before the window began
    makeJob('dispatch_wave', { run_id: id, wave: 1 }, { installationId: run?.installation_id, cause: null }),
  ])
  await world.settled()
  t.same(await standing(id), ['long/a: applied', 'long/b: pending', '1 sent'])
  await policy(world, { windows: [{ deny: past, hold: 'waves' }] })
  await isDue(id)
  t.same(await standing(id), ['long/a: applied', 'long/b: applying', '2 sent'])
  await report(world, id, 'long/b')
  await world.settled()
  t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'applied' }])
})

t.test('without hold what has begun goes on, and so it does for who is excepted', async (t) => {
  const on = await waiting([{ deny: shut }], ['on/a', 'on/b'])
  t.same(await standing(on.id), ['on/a: applied', 'on/b: applying', '2 sent'])
  github.organization('acme').team('sre').add('rob')
  const free = await waiting([{ deny: shut, hold: 'waves', except_teams: ['sre'] }], ['free/a', 'free/b'])
  t.same(await standing(free.id), ['free/a: applied', 'free/b: applying', '2 sent'])
})

t.test('a newer commit ends an apply that waits: nothing of it is out', async (t) => {
  const { pull, id } = await waiting([{ deny: shut, hold: 'waves' }], ['new/a', 'new/b'])
  await pull.push({ 'notes/newer.md': 'newer\n' })
  await world.settled()
  t.same(await standing(id), ['new/a: applied', 'new/b: skipped', '1 sent'])
  t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'superseded' }])
  t.same(await query(world, `select name from timers where id = '${id}'`), [], 'and nothing is waited for')
})

t.test('a policy that cannot be read holds a wave', async (t) => {
  const { id } = await waiting([{ deny: shut, hold: 'waves' }], ['bad/a', 'bad/b'])
  await repository.push({ changes: { 'svc.yml': 'version: 2\n' } })
  await isDue(id)
  t.match(
    (await send(world, key, `/v1/runs/${id}`)).body.warnings.at(-1).message,
    /svc\.yml of the default branch is invalid/,
  )
  t.same(await standing(id), ['bad/a: applied', 'bad/b: pending', '1 sent'])
})

t.test('a code host that cannot be reached is asked again in a minute, however long it was away', async (t) => {
  const { id } = await waiting([{ deny: shut, hold: 'waves' }], ['away/a', 'away/b'])
  const outage = github.faults.add({ kind: 'down' })
  const asked = `select attempt, extract(epoch from run_at - now())::int as seconds from jobs
    where kind = 'ask_window' and state = 'queued' and last_error is not null and payload->>'run_id' = '${id}'`
  await query(world, `update timers set due_at = now() where id = '${id}' and name = 'window' returning id`)
  await until(async () => (await query(world, asked)).length > 0)
  const [again] = await query(world, asked)
  t.equal(again?.attempt, 0, 'no attempt is counted, so the next is not put off for longer')
  t.ok(again?.seconds > 0 && again?.seconds <= 60, `${again?.seconds}`)
  outage.remove()
  await repository.push({ changes: { 'svc.yml': JSON.stringify({ version: 1, apply: {} }) } })
  await query(world, `update jobs set run_at = now() where kind = 'ask_window' and state = 'queued' returning id`)
  await until(async () => (await standing(id)).includes('2 sent'))
  t.same(await standing(id), ['away/a: applied', 'away/b: applying', '2 sent'])
})
