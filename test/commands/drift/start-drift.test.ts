import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { beginApplyOf, report } from '#test/scenes/applying.ts'
import { dispatchStates, shiftingClock, standing, warningsOf, withWorkflow } from '#test/scenes/dispatched.ts'
import {
  all,
  begin,
  checking,
  driftedGauge,
  environmentOf,
  issuesAsked,
  look,
  mergeAll,
  planAll,
  push,
  yml,
} from '#test/scenes/drift-ticks.ts'
import { addKey, query, secondInstance, send } from '#test/scenes/scene.ts'

/* What checks for drift find: only what the default branch can judge, recorded for the stack and nothing else. */

const clock = shiftingClock()
const files = { ...withWorkflow, 'svc.yml': yml('{schedule: "0 * * * *"}') }
const world = await startWorld(t, { files, replaced: { clock } })
await look(world)
await mergeAll(world)
const key = await addKey(world)
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service answers
const get = async (path: string): Promise<any> => (await send(world, key, path)).body
const idOf = async (stack: string): Promise<string> =>
  (await query(world, `select id from stacks where key = '${stack}'`))[0]?.id

t.test('each stack of the default branch is checked at its head, and the result is shown', async (t) => {
  const checksMade = () => world.github.requests.filter(({ route }) => route.includes('check-runs')).length
  const before = checksMade()
  const id = await begin(world)
  t.match(await get(`/v1/runs/${id}`), {
    ...{ mode: 'drift', trigger: 'schedule', status: 'planning', requested_by: 'schedule', waves: 1 },
    sha: await world.repository.head(),
    stacks: all.map((path) => ({ key: path, path, wave: 0, environment: environmentOf(path) })),
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
  t.notOk('drift' in (await get(`/v1/stacks/${await idOf('dns')}`)), 'a failed check says neither')
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
  t.equal(checksMade(), before, 'no pull request hears of it')
  t.same(await query(world, `select * from locks where state <> 'free'`), [], 'and nothing is locked')
})

t.test('of several checks the newest conclusive one counts; all are listed', async (t) => {
  const id = await begin(world)
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

t.test('missing runners do not stop checks for drift', async (t) => {
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  const lost = await begin(world)
  t.equal(await standing(world, lost), 'planning: app planning, dns planning, network planning')
  clock.forward(31)
  await until(async () => (await dispatchStates(world, lost)).includes('0.1 lost'))
  await world.settled()
  clock.back()
  vanish.remove()
  t.equal(await standing(world, lost), 'failed: app unknown, dns unknown, network unknown')
  const next = await begin(world)
  const check = await checking(world, next)
  await check.drifted('app')
  const late = await checking(world, lost)
  await late.clean('app')
  t.match(await standing(world, lost), /app noop/, 'a late result still lands')
  t.match(
    await get(`/v1/stacks/${await idOf('app')}`),
    { drift: { drifted: true } },
    'but is older than the current result',
  )
  await check.end()
})

t.test('a check that waits for its runner for a day gives way to the next', async (t) => {
  const stuck = await begin(world)
  await query(world, `update runs set created_at = created_at - interval '25 hours' where id = '${stuck}'`)
  const next = await begin(world)
  t.equal(await standing(world, stuck), 'superseded: app superseded, dns superseded, network superseded')
  const check = await checking(world, stuck)
  t.match(await check.drifted('dns'), { status: 409, body: { code: 'superseded' } })
  await (await checking(world, next)).end()
})

t.test('stacks that an unmerged pull request changed, or is changing, are left out by name', async (t) => {
  const plan = await planAll(world)
  const apply = await beginApplyOf(world, { pull: plan.pull, waves: [['app'], ['dns']], planRunId: plan.id })
  await report(world, apply, 'app', 'failed')
  t.match(await standing(world, apply), 'failed: app failed, dns skipped')
  const id = await begin(world)
  t.equal(
    await standing(world, id),
    'planning: dns planning, network planning',
    'a stack that was only locked is checked',
  )
  t.same(await warningsOf(world, id), [
    `not checked for drift, because an unmerged pull request or a manual run has changed them or is changing them: app (#${plan.pull.number})`,
  ])

  const other = await planAll(world)
  const applying = await beginApplyOf(world, { pull: other.pull, waves: [['network']], planRunId: other.id })
  const check = await checking(world, id)
  await check.drifted('network')
  await check.clean('dns')
  await report(world, applying, 'network')
  const [, overtaken] = await warningsOf(world, id)
  t.match(overtaken, /checked for drift but not counted, because they were applied after the check had begun: network/)
  t.match(await standing(world, id), /network planned/, 'the result is recorded anyway')
  t.notOk(
    (await get(`/v1/stacks/${await idOf('network')}/drift`)).items.some((one: { run_id: string }) => one.run_id === id),
  )
  await check.end()
  await plan.pull.merge()
  await other.pull.merge()
  await world.settled()
})

t.test('stacks that were applied and merged while their checks were out are not counted either', async (t) => {
  const id = await begin(world)
  const plan = await planAll(world)
  const apply = await beginApplyOf(world, { pull: plan.pull, waves: [['dns', 'network']], planRunId: plan.id })
  for (const stack of ['dns', 'network']) await report(world, apply, stack)
  await plan.pull.merge()
  await world.settled()
  const check = await checking(world, id)
  const before = (await get(`/v1/stacks/${await idOf('network')}`)).drift
  await check.drifted('network')
  t.same((await get(`/v1/stacks/${await idOf('network')}`)).drift, before)
  await check.clean('dns')
  t.match((await get(`/v1/runs/${id}`)).warnings, [{ code: 'drift_overtaken', stacks: ['dns', 'network'] }])
  t.equal((await warningsOf(world, id)).length, 1, 'one warning for both, though they ended one after another')
  await check.end()
})

t.test('issues are updated for stacks that drift, and for stacks that no longer do', async (t) => {
  const told = () => issuesAsked(world)
  t.same(await told(), [], 'none while issues are not wanted')
  await push(world, yml('{schedule: "0 * * * *", issues: true}'))
  const first = await checking(world, await begin(world))
  await first.clean('app')
  await first.clean('dns')
  await first.drifted('network')
  await first.end()
  const after = await told()
  t.same([...new Set(after)], ['app', 'network'], 'app had drifted before, and dns is as it was')
  const second = await checking(world, await begin(world))
  for (const stack of all) await second.clean(stack)
  await second.end()
  t.same((await told()).filter((stack) => stack === 'network').length, 2)
  t.equal((await told()).filter((stack) => stack === 'app').length, after.filter((stack) => stack === 'app').length)
})
