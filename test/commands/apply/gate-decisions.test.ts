import t from 'tap'
import { report } from '#test/scenes/applying.ts'
import { comment, newestRun, planned, policy } from '#test/scenes/commenting.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

/* What the gate says to whom, and what is kept of it with the apply that it let through. */

const { world, grace, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)

const gateOf = async (runId: string): Promise<Json> => (await send(world, key, `/v1/runs/${runId}/gate`)).body
const fact = ({ facts }: Json, layer: string): Json => facts.find((one: Json) => one.layer === layer)

t.test('the gate is judged for the person who reads it, and says so', async (t) => {
  await policy(world, { four_eyes: true })
  const { id } = await planned(world, ['whose'])
  const path = `/v1/runs/${id}/gate`
  const mine = (await ask(grace, path)).json
  t.match(mine, { allowed: true, asked_by: 'grace' })
  t.match(fact(mine, 'permission'), { verdict: 'pass', evidence: [{ login: 'grace', holds: true }] })
  t.match(fact(mine, 'four_eyes'), { verdict: 'pass' })
  const hers = (await ask(rita, path)).json
  t.match(hers, { allowed: false, asked_by: 'rita', failures: [{ layer: 'permission', name: 'push' }] })
  const nobodys = await gateOf(id)
  t.notOk('asked_by' in nobodys)
  t.match([fact(nobodys, 'permission').verdict, fact(nobodys, 'four_eyes').verdict], ['unknown', 'unknown'])
  await query(world, `update sessions set user_id = user_id + 1000 where login = 'grace' returning login`)
  t.match(
    (await ask(grace, path)).json.failures,
    [{ layer: 'permission', name: 'push' }],
    'their name is another’s now',
  )
  await query(world, `update sessions set user_id = user_id - 1000 where login = 'grace' returning login`)
})

t.test('it says what to type, and what that would apply', async (t) => {
  await policy(world, {})
  const { job, id, pull } = await planning(
    world,
    ['net', 'db', 'app'],
    [dependsOn('app', 'net'), dependsOn('app', 'db')],
  )
  for (const stack of ['net', 'db', 'app']) await job.report(id, stack)
  t.match(await gateOf(id), { allowed: true, comment: 'svc apply', waves: [['db', 'net'], ['app']] })
  await comment(world, pull, 'svc apply net', 'grace')
  const first = await newestRun(world, pull, 'apply')
  await report(world, first, 'net')
  await world.settled()
  t.match(await gateOf(id), { allowed: true, comment: 'svc apply', waves: [['db'], ['app']] }, 'what is left')
  await comment(world, pull, 'svc apply', 'grace')
  const second = await newestRun(world, pull, 'apply')
  for (const stack of ['db', 'app']) await report(world, second, stack)
  await world.settled()
  const done = await gateOf(id)
  t.notOk('comment' in done || 'waves' in done, 'all of it is applied')
  await policy(world, { mode: 'on_merge' })
  const merging = await planned(world, ['merging'])
  const gate = await gateOf(merging.id)
  t.notOk('comment' in gate, 'merging applies here')
  t.match(gate.waves, [['merging']])
})

t.test('what let an apply through is kept with it, whatever comes later', async (t) => {
  await policy(world, { approvals: 1 })
  const { pull } = await planned(world, ['kept'])
  pull.review('grace', 'approve')
  const before = new Date()
  await comment(world, pull, 'svc apply', 'grace')
  const applyId = await newestRun(world, pull, 'apply')
  world.repository.setPermission('grace', 'read')
  pull.review('grace', 'request_changes')
  const gate = await gateOf(applyId)
  world.repository.setPermission('grace', 'write')
  t.match(gate, { allowed: true, failures: [], asked_by: 'grace', waves: [['kept']] })
  t.ok(Date.parse(gate.decided_at) >= +before && Date.parse(gate.decided_at) <= Date.now())
  t.match(fact(gate, 'approval'), { verdict: 'pass', evidence: [{ login: 'grace', holds: true, sha: pull.headSha() }] })
  t.match(fact(gate, 'permission'), { verdict: 'pass' })
  t.same((await ask(rita, `/v1/runs/${applyId}/gate`)).json, gate, 'the same for whoever reads it')
  t.equal((await ask(eve, `/v1/runs/${applyId}/gate`)).status, 404)
})

t.test('a manual run has what was asked of it', async (t) => {
  await policy(world, {})
  const { job, id, pull } = await planning(world, ['by-hand'])
  await job.report(id, 'by-hand')
  await pull.merge()
  await world.settled()
  const body = { repo: 'acme/infra', sha: pull.headSha(), mode: 'apply', trigger: 'manual', stacks: ['by-hand'] }
  const { run_id } = (await send(world, key, '/v1/runs', body)).body
  const gate = await gateOf(run_id)
  t.match(gate, { allowed: true, asked_by: 'apikey:ci', waves: [['by-hand']], decided_at: /Z$/ })
  t.match([fact(gate, 'config').verdict, fact(gate, 'permission').verdict], ['pass', 'off'])
})

t.test('a check for drift has no gate, nor has an apply from before they were kept', async (t) => {
  const drift = await driftRun(world, 'by-hand', 'none')
  const [apply] = await query(
    world,
    `delete from gate_decisions where run_id = (select run_id from gate_decisions limit 1) returning run_id`,
  )
  for (const [runId, message] of [
    [drift, /check for drift/],
    [apply?.run_id, /not kept/],
  ]) {
    const answer = await send(world, key, `/v1/runs/${runId}/gate`)
    t.match(answer, { status: 409, body: { code: 'conflict', message } })
  }
})
