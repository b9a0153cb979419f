import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { applying, auditOf, report } from '#test/scenes/applying.ts'
import { addKey, dependsOn, opened, planning, query, send } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const key = await addKey(world)
world.repository.setPermission('grace', 'write')

const rerun = (id: string) => send(world, key, `/v1/runs/${id}/rerun`, '')

const runsOf = (pull: { number: number }) =>
  query(
    world,
    `select id, trigger, requested_by, status from runs where pr_number = ${pull.number} order by created_at`,
  )

t.test('every stack of a plan run is planned again in a new run of the same commit', async (t) => {
  const { pull, job, id } = await planning(world, ['network', 'app'], [dependsOn('app', 'network')])
  for (const stack of ['network', 'app']) await job.report(id, stack, { status: 'failure', exit_code: 1 })
  const { status, body } = await rerun(id)
  t.equal(status, 201)
  t.match(body, {
    status: 'planning',
    existing: false,
    run: { sha: pull.headSha(), mode: 'plan', trigger: 'rerequest', requested_by: 'apikey:ci', pr_number: pull.number },
  })
  t.equal(body.run_id, body.run.id)
  t.not(body.run_id, id)
  const read = await send(world, key, `/v1/runs/${body.run_id}`)
  t.match(
    read.body.stacks.map((row: { key: string; wave: number }) => `${row.wave} ${row.key}`),
    ['0 network', '1 app'],
  )
  t.match(await query(world, `select payload from jobs where kind = 'dispatch_wave' and key = '${body.run_id} all'`), [
    { payload: { run_id: body.run_id } },
  ])
  t.match(await auditOf(world, 'rerun'), [
    {
      actor: 'apikey:ci',
      target: 'acme/infra',
      details: { repo: 'acme/infra', pr: pull.number, run_id: body.run_id, rerun_of: id },
    },
  ])
  t.match(await rerun(id), {
    status: 409,
    body: { code: 'conflict', message: `another plan of this commit is under way: run ${body.run_id}` },
  })
  t.match(
    await rerun(body.run_id),
    { status: 409, body: { code: 'conflict' } },
    'nor can it be run again before it has ended',
  )
})

t.test('a run that cannot be planned again says why', async (t) => {
  const waiting = await opened(world)
  const cyclic = await opened(world)
  const stacks = ['a', 'b'].map((path) => ({ key: path, path }))
  const edges = [dependsOn('a', 'b'), dependsOn('b', 'a')]
  await cyclic.job.upload(cyclic.id, { graph: { stacks, edges }, stacks: ['a', 'b'] })
  const under = await planning(world, ['under'])
  const old = await planning(world, ['old'])
  await old.job.report(old.id, 'old')
  await old.pull.push({ 'notes/new.md': 'new\n' })
  await world.settled()
  const apply = await applying(world, [['applied']])
  const cases: [id: string, status: number, code: string, message: RegExp][] = [
    [randomUUID(), 404, 'not_found', /does not exist/],
    ['network', 400, 'invalid', /id: must be a UUID/],
    [waiting.id, 409, 'conflict', /the run is pending/],
    [under.id, 409, 'conflict', /the run is planning/],
    [cyclic.id, 409, 'conflict', /no graph to plan from: re-run all jobs/],
    [old.id, 409, 'superseded', /newer commit/],
    [apply.applyId, 409, 'conflict', /only plan runs can be run again/],
    [apply.id, 409, 'conflict', /an apply of the pull request is under way/],
  ]
  for (const [id, status, code, message] of cases) {
    t.match(await rerun(id), { status, body: { code, message } }, String(message))
  }
  await report(world, apply.applyId, 'applied')
  t.equal((await rerun(apply.id)).status, 201, 'an apply that has ended is no hindrance')
})

t.test('a suspended installation is refused at once, and says so', async (t) => {
  const { id, job } = await planning(world, ['suspended'])
  await job.report(id, 'suspended')
  await query(world, `update installations set suspended_at = now() where true returning id`)
  const message = /installation of the app on acme is suspended: unsuspend it first/
  t.match(await rerun(id), { status: 403, body: { code: 'forbidden', message } })
  await query(world, `update installations set suspended_at = null where true returning id`)
  t.equal((await rerun(id)).status, 201)
})

t.test('a check run that is rerequested plans its run again, with new check runs', async (t) => {
  const { pull, job, id } = await planning(world, ['asked'])
  await job.report(id, 'asked', { status: 'failure', exit_code: 1 })
  await world.settled()
  const check = pull.checkRuns().find(({ name }) => name === 'svc/plan: asked')
  pull.rerequestCheck(check?.id ?? 0, 'grace')
  await world.settled()
  const [, again, ...more] = await runsOf(pull)
  t.same(more, [])
  t.match(again, { trigger: 'rerequest', requested_by: 'grace' })
  const made = pull.checkRuns().filter(({ name }) => name === 'svc/plan')
  t.same(
    made.map(({ externalId }) => externalId),
    [id, again?.id],
  )
})

t.test('rerequesting all checks of a commit plans its newest run again, once', async (t) => {
  const { pull, job, id } = await planning(world, ['suite'])
  await job.report(id, 'suite')
  await world.settled()
  await pull.rerequestChecks('grace')
  await pull.rerequestChecks('grace')
  await world.settled()
  t.match(
    (await runsOf(pull)).map(({ trigger }) => trigger),
    ['pull_request', 'rerequest'],
  )
})

t.test('a person without push permission is ignored, and audited', async (t) => {
  const { pull, job, id } = await planning(world, ['stranger'])
  await job.report(id, 'stranger')
  await world.settled()
  await pull.rerequestChecks('mallory')
  await world.settled()
  t.equal((await runsOf(pull)).length, 1)
  t.match(await auditOf(world, 'command_ignored'), [
    {
      actor: 'mallory',
      target: 'acme/infra',
      details: { repo: 'acme/infra', pr: pull.number, verb: 'rerun', run_id: id },
    },
  ])
})
