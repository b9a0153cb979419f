import t from 'tap'
import { checkDriftJob } from '#commands/queue-due-drift.ts'
import { startWorld } from '#test/helpers/world.ts'
import { scheduleDriftJob } from '#workers/handlers/drift.ts'
import { beginApplyOf, report } from './applying.ts'
import { dispatchedFor, dispatchStates, shiftingClock, standing, warningsOf, withWorkflow } from './dispatched.ts'
import { all, checking, driftedGauge, driftRuns, look, mergeAll, planAll, tick, work } from './drift-ticks.ts'
import { addKey, query, secondInstance, send, until } from './scene.ts'

/* Checks for drift: by the schedule of the default branch, one at a time, of what the default branch can speak for. */

const yml = (drift: string) => `version: 1\ndrift: ${drift}\n`
const clock = shiftingClock()
const files = { ...withWorkflow, 'svc.yml': yml('{schedule: "0 4 * * *"}') }
const world = await startWorld(t, { files, replaced: { clock } })
const key = await addKey(world)
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service answers
const get = async (path: string): Promise<any> => (await send(world, key, path)).body

const settings = async () =>
  (
    await query(
      world,
      `select drift_schedule as schedule, drift_issues as issues,
         to_char(drift_next_at at time zone 'UTC', 'HH24:MI') as next, drift_next_at > now() as ahead from repositories`,
    )
  )[0]

const push = async (text: string) => {
  await world.repository.push({ changes: { 'svc.yml': text } })
  await world.settled()
}

const newest = async () => (await driftRuns(world)).at(-1)!

/** A tick that begins a run. */
const begin = async () => {
  const before = (await driftRuns(world)).length
  await tick(world)
  const runs = await driftRuns(world)
  if (runs.length !== before + 1) throw new Error(`${runs.length - before} runs were begun`)
  return runs.at(-1)!
}

const idOf = async (stack: string): Promise<string> =>
  (await query(world, `select id from stacks where key = '${stack}'`))[0]?.id

t.test('the schedule is that of the default branch, and follows it', async (t) => {
  t.match(await settings(), { schedule: null, next: null }, 'nobody has read it yet')
  await look(world)
  t.match(await settings(), { schedule: '0 4 * * *', issues: false, next: '04:00', ahead: true })
  await push(yml('{schedule: "30 5 * * mon", issues: true}'))
  t.match(await settings(), { schedule: '30 5 * * mon', issues: true, next: '05:30', ahead: true })
  await push(yml('{schedule: "61 5 * * mon"}'))
  t.match(await settings(), { schedule: '30 5 * * mon', issues: true }, 'what is invalid changes nothing')
  t.match(await query(world, `select details->>'problems' as told from audit where action = 'config_invalid'`), [
    { told: /drift\.schedule/ },
  ])
  await tick(world, 5)
  t.match(await settings(), { next: '05:30', ahead: true }, 'and is tried again at the next tick')
  await push('version: 1\n')
  t.match(await settings(), { schedule: null, issues: false, next: null })
  await push(yml('{schedule: "0 * * * *"}'))
  t.match(await settings(), { schedule: '0 * * * *', next: /:00$/, ahead: true })
  await tick(world)
  t.same(await driftRuns(world), [], 'nothing is checked while the default branch has no graph')
})

t.test('each stack of the default branch is checked at its head, and what is found is told', async (t) => {
  await mergeAll(world)
  const checksMade = () => world.github.requests.filter(({ route }) => route.includes('check-runs')).length
  const before = checksMade()
  const id = await begin()
  t.match(await get(`/v1/runs/${id}`), {
    ...{ mode: 'drift', trigger: 'schedule', status: 'planning', requested_by: 'schedule', waves: 1 },
    sha: await world.repository.head(),
    stacks: all.map((path) => ({ key: path, path, wave: 0, environment: 'default' })),
  })
  const check = await checking(world, id)
  t.match(check.run.now().inputs, { mode: 'drift', run_id: id, wave: '0', sha: await world.repository.head() })
  t.match(await check.job.join(id, { stacks: ['app'] }), { status: 200, body: { run: { mode: 'drift' } } })
  t.match(await check.drifted('network', 3), { status: 200, body: { status: 'planned' } })
  t.match(await check.clean('app'), { status: 200, body: { status: 'noop' } })
  t.match(await check.failed('dns'), { status: 200, body: { status: 'failed' } })
  await check.end()
  t.equal(await standing(world, id), 'failed: app noop, dns failed, network planned')

  const network = await idOf('network')
  const { drift } = await get(`/v1/stacks/${network}`)
  t.match(drift, { checked_at: /Z$/, drifted: true, summary: { changes: 3 } })
  t.match((await get(`/v1/stacks/${await idOf('app')}`)).drift, { drifted: false, summary: undefined })
  t.notOk('drift' in (await get(`/v1/stacks/${await idOf('dns')}`)), 'a check that failed says neither')
  t.same((await get(`/v1/stacks/${network}/drift`)).items, [
    {
      ...{ run_id: id, drifted: true, status: 'planned', job_url: 'https://ci.example.com/network' },
      ...{ checked_at: drift.checked_at, summary: drift.summary },
    },
  ])
  const [failed] = (await get(`/v1/stacks/${await idOf('dns')}/drift`)).items
  t.match(failed, { run_id: id, status: 'failed' })
  t.notOk('drifted' in failed)
  t.match((await get('/v1/repos')).items, [{ drifted: 1 }])
  t.match(await get('/v1/overview'), { drifted: 1 })
  t.equal(checksMade(), before, 'no pull request is told of it')
  t.same(await query(world, `select * from locks where state <> 'free'`), [], 'and nothing is locked')
})

t.test('of several checks the newest that found something out counts; all are told', async (t) => {
  const id = await begin()
  const check = await checking(world, id)
  await check.unconfirmed('network')
  await check.drifted('app')
  await check.clean('dns')
  await check.end()
  t.match(await get(`/v1/stacks/${await idOf('network')}`), { drift: { drifted: true, summary: { changes: 3 } } })
  t.match(await get('/v1/repos'), { items: [{ drifted: 2 }] })
  const other = await secondInstance(t, world)
  await until(async () => (await driftedGauge(other)) === 2)
  const path = `/v1/stacks/${await idOf('app')}/drift?limit=1`
  const first = await get(path)
  t.match(first.items, [{ run_id: id, drifted: true }])
  const second = await get(`${path}&cursor=${first.next_cursor}`)
  t.match(second.items, [{ drifted: false, status: 'noop' }])
  t.notOk('next_cursor' in second)
})

t.test('one that is due while the former is under way is left out, and told of once', async (t) => {
  const id = await begin()
  const runs = await driftRuns(world)
  await tick(world)
  await tick(world)
  t.same(await driftRuns(world), runs)
  t.match(await warningsOf(world, id), [/was still under way when the next was due at .*: that one was left out/])
  const check = await checking(world, id)
  for (const stack of all) await check.clean(stack)
  await check.end()
  t.equal(await standing(world, id), 'planned: app noop, dns noop, network noop')
  t.match(await get('/v1/overview'), { drifted: 0 })
})

t.test('a schedule that was missed for hours is made up for once', async (t) => {
  const before = (await driftRuns(world)).length
  await tick(world, 300)
  await look(world)
  t.equal((await driftRuns(world)).length, before + 1)
  t.match(await settings(), { ahead: true })
  await (await checking(world, await newest())).end()
  t.equal(
    await standing(world, await newest()),
    'failed: app unknown, dns unknown, network unknown',
    'it came to nothing',
  )
})

t.test('runners that nobody provides do not keep drift from being looked for', async (t) => {
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  const lost = await begin()
  t.equal(await standing(world, lost), 'planning: app planning, dns planning, network planning')
  clock.forward(31)
  await until(async () => (await dispatchStates(world, lost)).includes('0.1 lost'))
  await world.settled()
  clock.back()
  vanish.remove()
  t.equal(await standing(world, lost), 'failed: app unknown, dns unknown, network unknown')
  const next = await begin()
  const check = await checking(world, next)
  await check.drifted('app')
  const late = await checking(world, lost)
  await late.clean('app')
  t.match(await standing(world, lost), /app noop/, 'a late result still lands')
  t.match(await get(`/v1/stacks/${await idOf('app')}`), { drift: { drifted: true } }, 'but tells of what was before')
  await check.end()
})

t.test('one that waits for its runner for a day gives way to the next', async (t) => {
  const stuck = await begin()
  await query(world, `update runs set created_at = created_at - interval '25 hours' where id = '${stuck}'`)
  const next = await begin()
  t.equal(await standing(world, stuck), 'superseded: app superseded, dns superseded, network superseded')
  const check = await checking(world, stuck)
  t.match(await check.drifted('dns'), { status: 409, body: { code: 'superseded' } })
  await (await checking(world, next)).end()
})

t.test('stacks that somebody changed, or is changing, who is not merged are left out by name', async (t) => {
  const plan = await planAll(world)
  const apply = await beginApplyOf(world, { pull: plan.pull, waves: [['app'], ['dns']], planRunId: plan.id })
  await report(world, apply, 'app', 'failed')
  t.match(await standing(world, apply), 'failed: app failed, dns skipped')
  const id = await begin()
  t.equal(await standing(world, id), 'planning: dns planning, network planning', 'one that was only claimed is checked')
  t.same(await warningsOf(world, id), [
    `not checked for drift, since what holds their locks changed them and is not merged, or is changing them: app (#${plan.pull.number})`,
  ])

  const other = await planAll(world)
  const applying = await beginApplyOf(world, { pull: other.pull, waves: [['network']], planRunId: other.id })
  const check = await checking(world, id)
  await check.drifted('network')
  await check.clean('dns')
  await report(world, applying, 'network')
  const [, overtaken] = await warningsOf(world, id)
  t.match(overtaken, /checked for drift but not counted, since they were applied after the check had begun: network/)
  t.match(await standing(world, id), /network planned/, 'the result is there all the same')
  t.notOk(
    (await get(`/v1/stacks/${await idOf('network')}/drift`)).items.some((one: { run_id: string }) => one.run_id === id),
  )
  await check.end()
  await plan.pull.merge()
  await other.pull.merge()
  await world.settled()
})

t.test('one that was applied and merged while its check was out is not counted either', async (t) => {
  const id = await begin()
  const plan = await planAll(world)
  const apply = await beginApplyOf(world, { pull: plan.pull, waves: [['network']], planRunId: plan.id })
  await report(world, apply, 'network')
  await plan.pull.merge()
  await world.settled()
  const check = await checking(world, id)
  const before = (await get(`/v1/stacks/${await idOf('network')}`)).drift
  await check.drifted('network')
  t.same((await get(`/v1/stacks/${await idOf('network')}`)).drift, before)
  await check.end()
})

t.test('whoever keeps issues hears of stacks that drift, and of those that do no more', async (t) => {
  const told = async () =>
    (
      await query(
        world,
        `select s.key from jobs j join stacks s on s.id = (j.payload->>'stack_id')::uuid
         where j.kind = 'drift_stack' and j.key = s.id::text order by s.key`,
      )
    ).map((row) => row.key)
  t.same(await told(), [], 'nobody while they are not wanted')
  await push(yml('{schedule: "0 * * * *", issues: true}'))
  const first = await checking(world, await begin())
  await first.clean('app')
  await first.clean('dns')
  await first.drifted('network')
  await first.end()
  const after = await told()
  t.same([...new Set(after)], ['app', 'network'], 'app had drifted before, and dns is as it was')
  const second = await checking(world, await begin())
  for (const stack of all) await second.clean(stack)
  await second.end()
  t.same((await told()).filter((stack) => stack === 'network').length, 2)
  t.equal((await told()).filter((stack) => stack === 'app').length, after.filter((stack) => stack === 'app').length)
})

t.test('a tick is acted on once, though two instances look at the same time', async (t) => {
  await secondInstance(t, world)
  const [{ id: repoId, before }] = (await query(
    world,
    `select id, (select count(*) from runs where mode = 'drift') as before from repositories`,
  )) as [{ id: number; before: number }]
  const dueAt = new Date()
  // without key and lane nothing keeps the workers of both from doing them all at once
  const loose = { key: null, lane: null }
  await query(world, `update repositories set drift_next_at = now()`)
  await work(
    world,
    Array.from({ length: 8 }, () => ({ ...scheduleDriftJob(), ...loose })),
  )
  t.equal((await driftRuns(world)).length, Number(before) + 1)
  await (await checking(world, await newest())).end()
  await work(
    world,
    [0, 0, 1, 1, 2, 2, 3, 3].map((more) => ({ ...checkDriftJob(repoId, new Date(+dueAt + 60_000 + more)), ...loose })),
  )
  t.equal((await driftRuns(world)).length, Number(before) + 2, 'different ticks at once begin one run')
  t.equal(dispatchedFor(world, await newest()).length, 1)
  await (await checking(world, await newest())).end()
})

t.test('what is archived, suspended or gone is not checked, and comes back with its own schedule', async (t) => {
  const runs = await driftRuns(world)
  const [on, off] = [`removed_at = now()`, `removed_at = null`]
  for (const [hide, show] of [
    [`update repositories set ${on}`, `update repositories set ${off}`],
    ['update repositories set archived = true', 'update repositories set archived = false'],
    ['update installations set suspended_at = now()', 'update installations set suspended_at = null'],
  ] as const) {
    await query(world, hide)
    await tick(world)
    await work(world, [checkDriftJob(world.repository.id, clock.now())])
    t.same(await driftRuns(world), runs, hide)
    await query(world, show)
  }
  world.repository.archive(true)
  await world.settled()
  await query(world, 'update repositories set drift_schedule = null, drift_next_at = null')
  world.repository.archive(false)
  await world.settled()
  await look(world)
  t.match(await settings(), { schedule: '0 * * * *', ahead: true }, 'its configuration is read anew')
})
