import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { nobody } from '#jobs/definition.ts'
import { makeJob } from '#jobs/job.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { dispatchedFor, standing, warningsOf, withWorkflow } from '#test/scenes/dispatched.ts'
import {
  all,
  begin,
  checking,
  driftRuns,
  look,
  mergeAll,
  push,
  settings,
  tick,
  work,
  yml,
} from '#test/scenes/drift-ticks.ts'
import { opened, query, secondInstance, stack } from '#test/scenes/scene.ts'

/* When checks for drift are made: by the schedule of the default branch, one at a time, none lost and none twice. */

const files = { ...withWorkflow, 'svc.yml': yml('{schedule: "0 4 * * *"}') }
const world = await startWorld(t, { files })
const newest = async () => (await driftRuns(world)).at(-1)!
const [{ installation_id: installationId } = {}] = await query(world, 'select installation_id from repositories')
const checkOf = (repo_id: number, dueAt: Date) =>
  makeJob('schedule_drift', { repo_id, due_at: dueAt.toISOString() }, { installationId, cause: null })

t.test('the schedule is that of the default branch, and follows it', async (t) => {
  t.match(await settings(world), { schedule: null, next: null }, 'not read yet')
  await look(world)
  t.match(await settings(world), { schedule: '0 4 * * *', issues: false, next: '04:00', ahead: true })
  await push(world, yml('{schedule: "30 5 * * mon", issues: true}'))
  t.match(await settings(world), { schedule: '30 5 * * mon', issues: true, next: '05:30', ahead: true })
  await push(world, yml('{schedule: "61 5 * * mon"}'))
  t.match(await settings(world), { schedule: '30 5 * * mon', issues: true }, 'an invalid file changes nothing')
  t.match(await query(world, `select details->>'problems' as told from audit where action = 'config_invalid'`), [
    { told: /drift\.schedule/ },
  ])
  await tick(world, 5)
  t.match(await settings(world), { next: '05:30', ahead: true }, 'and is tried again at the next tick')
  await push(world, 'version: 1\n')
  t.match(await settings(world), { schedule: null, issues: false, next: null })
  await push(world, yml('{schedule: "0 * * * *"}'))
  t.match(await settings(world), { schedule: '0 * * * *', next: /:00$/, ahead: true })
  await tick(world)
  t.same(await driftRuns(world), [], 'nothing is checked while the default branch has no graph')
  await mergeAll(world)
})

t.test('a check that is due while the former is under way is left out, with one warning', async (t) => {
  const id = await begin(world)
  const runs = await driftRuns(world)
  await tick(world)
  await tick(world)
  t.same(await driftRuns(world), runs)
  t.match(await warningsOf(world, id), [/was still under way when the next was due at .*: that one was left out/])
  const check = await checking(world, id)
  for (const stack of all) await check.clean(stack)
  await check.end()
  t.equal(await standing(world, id), 'planned: app noop, dns noop, network noop')
})

t.test('a schedule that was missed for hours is made up for once', async (t) => {
  const before = (await driftRuns(world)).length
  await tick(world, 300)
  await look(world)
  t.equal((await driftRuns(world)).length, before + 1)
  t.match(await settings(world), { ahead: true })
  await (await checking(world, await newest())).end()
  t.equal(
    await standing(world, await newest()),
    'failed: app unknown, dns unknown, network unknown',
    'it came to nothing',
  )
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
    Array.from({ length: 8 }, () => ({ ...makeJob('schedule_drift', {}, { ...nobody, cause: null }), ...loose })),
  )
  t.equal((await driftRuns(world)).length, Number(before) + 1)
  await (await checking(world, await newest())).end()
  await work(
    world,
    [0, 0, 1, 1, 2, 2, 3, 3].map((more) => ({ ...checkOf(repoId, new Date(+dueAt + 60_000 + more)), ...loose })),
  )
  t.equal((await driftRuns(world)).length, Number(before) + 2, 'different ticks at once begin one run')
  t.equal(dispatchedFor(world, await newest()).length, 1)
  await (await checking(world, await newest())).end()
})

t.test('a tick outlasts a code host that does not give the branch', async (t) => {
  const path = '/repos/{owner}/{repo}/git/ref/{ref}'
  const down = world.github.faults.add({ kind: 'request', method: 'GET', path, effect: { status: 400, message: 'no' } })
  const before = await driftRuns(world)
  await query(world, 'update repositories set drift_next_at = now(), drift_handled_at = null')
  await addJobs(world.pool, [makeJob('schedule_drift', {}, { ...nobody, cause: null })])
  const failed = `select id from jobs where kind = 'schedule_drift' and state = 'queued' and last_error is not null`
  await until(async () => (await query(world, failed)).length === 1)
  t.same(await driftRuns(world), before)
  down.remove()
  await query(world, `update jobs set run_at = now() where kind = 'schedule_drift' and state = 'queued'`)
  await work(world, [])
  t.equal((await driftRuns(world)).length, before.length + 1)
  await (await checking(world, await newest())).end()
})

t.test('repositories that are due together leave workers to everything else', async (t) => {
  await query(world, 'update repositories set drift_next_at = null')
  await query(
    world,
    `insert into repositories (id, installation_id, owner, name, default_branch, drift_schedule, drift_next_at, config_read_at)
     select -n, installation_id, owner, 'due-' || n, 'main', '0 4 * * *', now(), now()
     from repositories, generate_series(1, 8) n`,
  )
  const path = '/repos/{owner}/{repo}/git/ref/{ref}'
  const slow = world.github.faults.add({ kind: 'request', method: 'GET', path, effect: 'hang-before' })
  const busy = async () => query(world, `select 1 from jobs where kind = 'schedule_drift' and state = 'running'`)
  await addJobs(world.pool, [makeJob('schedule_drift', {}, { ...nobody, cause: null })])
  await until(async () => (await busy()).length >= 1)
  await addJobs(world.pool, [{ kind: 'read_config', key: 'x', lane: null, payload: { repo_id: 0 }, cause: null }])
  await until(async () => (await query(world, `select 1 from jobs where key = 'x' and state = 'ignored'`)).length === 1)
  t.equal((await busy()).length, 1, 'one at a time of an organisation')
  slow.remove()
  await work(world, [])
  await query(world, 'delete from repositories where id < 0')
})

t.test('dependencies that are more than a graph can have are not checked, and no job dies of them', async (t) => {
  const runs = await driftRuns(world)
  const recorded = await query(world, 'select id from graphs where id = (select default_graph_id from repositories)')
  const paths = ['apps', 'nets'].flatMap((group) => Array.from({ length: 450 }, (_, i) => `${group}/s${i}`))
  const { pull, job, id } = await opened(world)
  await job.upload(id, { graph: { stacks: paths.map((path) => stack(path)) }, stacks: ['apps/s0'] })
  await pull.merge()
  await push(world, `${yml('{schedule: "0 * * * *"}')}stacks: [{match: "apps/**", depends_on: ["nets/**"]}]\n`)
  await tick(world)
  t.same(await driftRuns(world), runs)
  t.same(await query(world, `select last_error from jobs where kind = 'schedule_drift' and last_error is not null`), [])
  await push(world, yml('{schedule: "0 * * * *"}'))
  await query(world, `update repositories set default_graph_id = '${recorded[0]?.id}'`)
})

t.test('an archived, suspended or removed repository is not checked, and comes back with its schedule', async (t) => {
  const runs = await driftRuns(world)
  for (const [hide, show] of [
    ['update repositories set removed_at = now()', 'update repositories set removed_at = null'],
    ['update repositories set archived = true', 'update repositories set archived = false'],
    ['update installations set suspended_at = now()', 'update installations set suspended_at = null'],
  ] as const) {
    await query(world, hide)
    await tick(world)
    await work(world, [checkOf(world.repository.id, new Date())])
    t.same(await driftRuns(world), runs, hide)
    await query(world, show)
  }
  const forget = () => query(world, 'update repositories set drift_schedule = null, drift_next_at = null')
  world.repository.archive(true)
  await world.settled()
  await forget()
  world.repository.archive(false)
  await world.settled()
  await look(world)
  t.match(await settings(world), { schedule: '0 * * * *', ahead: true }, 'its configuration is read again')
  await forget()
  await query(world, 'update installations set suspended_at = now()')
  await work(world, [makeJob('sync_installations', {}, { cause: null })])
  await look(world)
  t.match(await settings(world), { schedule: '0 * * * *', ahead: true }, 'a suspended app hears of no push')
})

t.test(
  'the schedule is read from the current default branch, whether or not its change was reported yet',
  async (t) => {
    const untold = world.github.faults.add({ kind: 'webhook', effect: 'vanish' })
    await world.repository.push({ branch: 'trunk', changes: { 'svc.yml': yml('{schedule: "15 3 * * *"}') } })
    await world.repository.setDefaultBranch('trunk')
    await query(world, 'update repositories set config_read_at = null')
    await look(world)
    t.match(await settings(world), { schedule: '15 3 * * *', next: '03:15', ahead: true })
    untold.remove()
  },
)
