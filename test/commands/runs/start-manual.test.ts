import t from 'tap'
import { playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { auditOf, lockStates } from '#test/scenes/applying.ts'
import { dispatchedFor, standing, withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, dependsOn, opened, planning, query, send, stack } from '#test/scenes/scene.ts'

/* Manual runs: an API key starts them, runs the tool and reports. */

const config = JSON.stringify({
  version: 1,
  apply: { mode: 'off' },
  stacks: [{ match: 'db', environment: 'prod' }],
})
const world = await startWorld(t, { files: { ...withWorkflow, 'svc.yml': config } })
const key = await addKey(world)
const sha = await world.repository.head()
const start = (changes: object = {}) =>
  send(world, key, '/v1/runs', {
    ...{ repo: 'acme/infra', sha, mode: 'apply', trigger: 'manual', stacks: ['net', 'db'] },
    ...changes,
  })
const result = (id: string, name: string, more: object = {}) =>
  send(world, key, `/v1/runs/${id}/stacks/${encodeURIComponent(name)}/result`, {
    ...{ mode: 'apply', status: 'success', exit_code: 0, has_changes: true },
    ...more,
  })

t.test('nothing can be applied before any graph is known', async (t) => {
  t.match(await start(), {
    status: 400,
    body: { details: { field: 'stacks', reason: /no graph of acme\/infra is known yet/ } },
  })
})

t.test('a commit that was never pushed is refused before any lock is taken', async (t) => {
  const unknown = await start({ sha: 'd'.repeat(40) })
  t.match(unknown, { status: 400, body: { code: 'invalid', details: { field: 'sha', reason: /has no commit dddd/ } } })
  t.same(await query(world, `select id from runs where trigger = 'manual'`), [])
})

t.test('a manual run locks its stacks, and each result releases its lock', async (t) => {
  const graph = {
    stacks: ['net', 'db', 'app'].map((path) => stack(path)),
    edges: [dependsOn('db', 'net'), dependsOn('app', 'db')],
  }
  const { job, id: planId } = await opened(world)
  await job.upload(planId, { graph, stacks: ['net'] })
  const started = await start({ stacks: ['db', 'net', 'db'], base_sha: 'b'.repeat(40) })
  t.match(started, {
    status: 201,
    body: {
      existing: false,
      status: 'applying',
      run: { mode: 'apply', trigger: 'manual', sha, base_sha: 'b'.repeat(40), requested_by: 'apikey:ci', waves: 2 },
    },
  })
  const id = started.body.run_id
  t.notOk('pr_number' in started.body.run)
  t.match((await send(world, key, `/v1/runs/${id}`)).body.stacks, [
    { key: 'net', wave: 0, status: 'applying', environment: 'default', reasons: ['requested'], lock: { run_id: id } },
    { key: 'db', wave: 1, status: 'pending', environment: 'prod' },
  ])
  t.same(
    await lockStates(world, ['net', 'db']),
    { db: 'held.manual', net: 'held.manual' },
    'both are locked before the answer',
  )
  t.same(await auditOf(world, 'manual_apply'), [
    {
      actor: 'apikey:ci',
      target: 'acme/infra',
      details: { repo: 'acme/infra', run_id: id, stacks: ['db', 'net'], sha },
    },
  ])

  const conflict = await start({ stacks: ['app', 'db'] })
  t.match(conflict, {
    status: 423,
    body: { code: 'locked', details: { conflicts: [{ stack_key: 'db', run_id: id, taken_at: String }] } },
  })
  t.same(await lockStates(world, ['app']), {}, 'a refused run leaves nothing')
  t.match(await query(world, `select count(*) from runs where trigger = 'manual'`), [{ count: 1 }])

  t.match(await send(world, key, `/v1/runs/${id}/stacks/net/checks/cost`, { status: 'pass' }), { status: 200 })
  t.match(await result(id, 'net'), { status: 200, body: { status: 'applied' } })
  t.same(await lockStates(world, ['net', 'db']), { db: 'held.manual', net: 'free' }, 'released by its result')
  t.match(await result(id, 'db', { status: 'failure', exit_code: 1 }), { status: 200, body: { status: 'failed' } })
  t.same(await lockStates(world, ['db']), { db: 'free' }, 'whatever the result')
  t.equal(await standing(world, id), 'failed: net applied, db failed')
  await world.settled()
  t.equal(dispatchedFor(world, id).length, 0, 'nothing is dispatched')
  const again = await start({ stacks: ['app', 'db'] })
  t.match(again, { status: 201 }, 'and free for the next')
  for (const name of ['db', 'app']) await result(again.body.run_id, name)
  t.equal(await standing(world, again.body.run_id), 'applied: db applied, app applied')
})

t.test(
  'a manual run whose caller is gone ends: what it had begun is unknown, and stays locked until a late result',
  async (t) => {
    t.match(await start({ runner_timeout_hours: 0 }), {
      status: 400,
      body: { details: { field: 'runner_timeout_hours' } },
    })
    const { body } = await start({ runner_timeout_hours: 2 })
    const id = body.run_id
    const due = `select round(extract(epoch from due_at - now()) / 360) as tenths from timers where kind = 'run' and id = '${id}'`
    t.match(await query(world, due), [{ tenths: 20 }])
    await query(world, `update timers set due_at = now() where kind = 'run' and id = '${id}'`)
    await until(async () => (await standing(world, id)) === 'failed: net unknown, db blocked')
    const { stacks } = (await send(world, key, `/v1/runs/${id}`)).body
    t.match(stacks, [{ key: 'net', unknown_reason: 'not_reported' }, {}])
    t.same(await query(world, `select name from timers where kind = 'run'`), [])
    t.same(await lockStates(world, ['net']), { net: 'held.manual' })
    t.match(await result(id, 'net'), { status: 200, body: { status: 'applied' } })
    t.same(await lockStates(world, ['net', 'db']), { net: 'free', db: 'free' })
  },
)

t.test('a stack that a pull request holds refuses a manual run', async (t) => {
  const { id } = await planning(world, ['held'])
  const first = await start({ stacks: ['held'] })
  t.equal(first.status, 201)
  await query(world, `update locks set pr_number = 7 where stack_id = (select id from stacks where key = 'held')`)
  t.match(await start({ stacks: ['held'] }), { status: 423 })
  t.match(await result(id, 'held', { mode: 'plan' }), { status: 403, body: { message: /manual runs only/ } })
  await query(world, `update locks set pr_number = null where stack_id = (select id from stacks where key = 'held')`)
  await result(first.body.run_id, 'held')
})

t.test('a manual run is refused with the field that is missing or wrong', async (t) => {
  const cases: [changes: object, field: string][] = [
    [{ mode: 'plan' }, 'mode'],
    [{ mode: undefined }, 'mode'],
    [{ mode: 'drift' }, 'mode'],
    [{ trigger: 'comment' }, 'trigger'],
    [{ trigger: undefined }, 'trigger'],
    [{ repo: undefined }, 'repo'],
    [{ sha: undefined }, 'sha'],
    [{ stacks: [] }, 'stacks'],
    [{ stacks: undefined }, 'stacks'],
  ]
  for (const [changes, field] of cases) {
    t.match(
      await start(changes),
      { status: 400, body: { code: 'invalid', details: { field } } },
      JSON.stringify(changes),
    )
  }
  const unknown = await start({ stacks: ['held', 'nowhere', 'no/where'] })
  t.match(unknown, { status: 400, body: { details: { field: 'stacks', reason: /has no stack no\/where, nowhere$/ } } })
  t.match(await start({ repo: 'acme/other' }), { status: 404, body: { code: 'not_found' } })
})

t.test('a key means one stack, and not the other instances of its directory', async (t) => {
  const { job, id } = await opened(world)
  const instances = ['eu', 'us'].map((instance) => stack('site', { key: `site:${instance}`, instance }))
  await job.upload(id, { graph: { stacks: instances }, stacks: ['site'] })
  t.match(await start({ stacks: ['site'] }), { status: 400, body: { details: { field: 'stacks' } } })
  const started = await start({ stacks: ['site:eu'] })
  t.match((await send(world, key, `/v1/runs/${started.body.run_id}`)).body.stacks, [{ key: 'site:eu', instance: 'eu' }])
  t.same(await lockStates(world, ['site:eu', 'site:us']), { 'site:eu': 'held.manual' })
  await result(started.body.run_id, 'site:eu')
})

t.test('the graph of the default branch counts, once there is one', async (t) => {
  const { pull, job, id } = await opened(world)
  await job.upload(id, { graph: { stacks: [stack('main-only')] }, stacks: ['main-only'] })
  await pull.merge()
  await world.settled()
  const other = await opened(world)
  await playJob(world, other.pull).open()
  await other.job.upload(other.id, { graph: { stacks: [stack('branch-only')] }, stacks: ['branch-only'] })
  t.match(await start({ stacks: ['branch-only'] }), { status: 400 })
  const started = await start({ stacks: ['main-only'] })
  t.equal(started.status, 201)
  await result(started.body.run_id, 'main-only')
})

t.test('dependencies that are more than a graph can have are refused by the field', async (t) => {
  const { pull, job, id } = await opened(world)
  const stacks = ['apps', 'nets'].flatMap((group) => Array.from({ length: 450 }, (_, i) => stack(`${group}/s${i}`)))
  await job.upload(id, { graph: { stacks }, stacks: ['apps/s0'] })
  await pull.merge()
  const many = { version: 1, stacks: [{ match: 'apps/**', depends_on: ['nets/**'] }] }
  await world.repository.push({ changes: { 'svc.yml': JSON.stringify(many) } })
  await world.settled()
  t.match(await start({ stacks: ['apps/s0'] }), {
    status: 400,
    body: { code: 'invalid', details: { field: 'stacks', reason: /depends_on makes more than 200000 edges/ } },
  })
  t.same(await lockStates(world, ['apps/s0']), {}, 'and nothing is locked')
})

t.test('without a readable policy nothing is applied', async (t) => {
  await world.repository.push({ changes: { 'svc.yml': 'version: 2\n' } })
  t.match(await start({ stacks: ['main-only'] }), {
    status: 409,
    body: {
      code: 'refused',
      details: { failures: [{ layer: 'config', name: 'version', reason: String, stacks: [] }] },
    },
  })
  await world.settled()
  t.same(await lockStates(world, ['main-only']), { 'main-only': 'free' })
})
