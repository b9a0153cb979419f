import { randomUUID } from 'node:crypto'
import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { beginApplyOf } from '#test/scenes/applying.ts'
import {
  dispatched,
  dispatchedApply,
  dispatchedFor,
  dispatchedJob,
  dispatchStates,
  standing,
  withWorkflow,
} from '#test/scenes/dispatched.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'

/* Dispatched jobs: what they are sent, what they may do, and what they are bound to. */

const world = await startWorld(t, { files: withWorkflow })

t.test('an apply goes out wave by wave, each after the one before has succeeded', async (t) => {
  const saved = { plan_artifact: 'plan-of-it', workflow_run_id: 1 }
  const { applyId, run, played, pull, id } = await dispatchedApply(
    world,
    [['net'], ['app']],
    [dependsOn('app', 'net')],
    saved,
  )
  const [plan] = await query(world, `select workflow_run_id from runs where id = '${id}'`)
  const sha = pull.headSha()
  t.equal(played.displayTitle, `svc apply ${applyId} wave 0 ${sha}`)
  const { stacks, ...inputs } = played.inputs
  t.same(inputs, { run_id: applyId, mode: 'apply', wave: '0', sha })
  t.same(
    JSON.parse(stacks ?? ''),
    {
      include: [
        {
          ...{ stack: 'net', key: 'net', environment: 'prod', tool: 'terraform' },
          artifact: 'plan-of-it',
          artifact_run: String(plan?.workflow_run_id),
        },
      ],
    },
    'the workflow run of the token that reported the plan, not the one that its body names',
  )
  t.equal(run.now().headSha, await world.repository.head(), 'on the default branch, whatever the commit')

  const job = dispatchedJob(world, played)
  t.match(await job.join(applyId, { stacks: ['net'], workflow_run_id: 5 }), {
    status: 200,
    body: { run_id: applyId, existing: true, status: 'applying', run: { sha, mode: 'apply' } },
  })
  t.match(await job.ask(`/v1/runs/${applyId}`), {
    status: 200,
    body: { stacks: [{ key: 'net', environment: 'prod' }, {}] },
  })
  t.match(await job.ask(`/v1/runs/${applyId}/stacks/net/checks/cost`, { status: 'pass' }), { status: 200 })
  t.same(dispatchedFor(world, applyId).length, 1, 'the second wave is not out yet')
  const reported = await job.report(applyId, 'net')
  t.match(reported, { status: 200, body: { status: 'applied' } })
  t.notOk('workflow_run_id' in reported.body)
  t.match(await job.report(applyId, 'net'), { status: 200 }, 'the same again')

  const second = (await dispatched(world, applyId, '1')).play()
  t.match(JSON.parse(second.inputs.stacks ?? '').include, [{ key: 'app' }])
  t.notMatch(second.inputs.stacks, 'artifact', 'plans of later waves are out of date')
  t.match(
    await dispatchedJob(world, second).report(applyId, 'app'),
    { status: 200 },
    'bound on first contact, whatever the request',
  )
  t.equal(await standing(world, applyId), 'applied: net applied, app applied')
  played.complete('success')
  second.complete('success')
  await world.settled()
  t.same(await dispatchStates(world, applyId), ['0.1 completed', '1.1 completed'])
})

t.test('a plan made before the stacks it depends on were applied is not used', async (t) => {
  const { id, pull, job } = await planning(world, ['base', 'top'], [dependsOn('top', 'base')])
  for (const key of ['base', 'top']) await job.report(id, key, { plan_artifact: `plan-of-${key}` })
  const entriesOf = async (key: string) => {
    const applyId = await beginApplyOf(world, { pull, waves: [[key]], planRunId: id, environment: 'prod' })
    const played = (await dispatched(world, applyId)).play()
    await dispatchedJob(world, played).report(applyId, key)
    return JSON.parse(played.inputs.stacks ?? '').include
  }
  t.match(await entriesOf('base'), [{ key: 'base', artifact: 'plan-of-base' }])
  const [entry] = await entriesOf('top')
  t.equal(entry.key, 'top')
  t.notOk('artifact' in entry, 'the first wave of this apply, and a later one of its plan')
})

t.test('a job touches the stacks of its own dispatch, under their environment', async (t) => {
  const { applyId, played } = await dispatchedApply(world, [['a', 'b'], ['c']])
  const other = await dispatchedApply(world, [['elsewhere']])
  const calls = async (job: ReturnType<typeof dispatchedJob>, key: string) => [
    await job.join(applyId, { stacks: [key] }),
    await job.ask(`/v1/runs/${applyId}/stacks/${key}/checks/cost`, { status: 'pass' }),
    await job.report(applyId, key),
  ]
  const refusals: [what: string, job: ReturnType<typeof dispatchedJob>, key: string, says: RegExp][] = [
    ['no environment', dispatchedJob(world, played, null), 'a', /no environment.*under prod/],
    ['another environment', dispatchedJob(world, played, 'default'), 'a', /environment default.*under prod/],
    ['a stack of a later wave', dispatchedJob(world, played), 'c', /not among the stacks/],
    ['a dispatch of another run', dispatchedJob(world, other.played), 'a', /was not dispatched for run/],
    [
      'another workflow file',
      dispatchedJob(world, played, 'prod', { workflow_ref: 'acme/infra/.github/workflows/own.yml@refs/heads/main' }),
      'a',
      /dispatches acme\/infra\/.github\/workflows\/svc-run.yml@refs\/heads\/main only/,
    ],
    [
      'another branch',
      dispatchedJob(world, played, 'prod', {
        ...{ workflow_ref: 'acme/infra/.github/workflows/svc-run.yml@refs/heads/mine', run_id: '7' },
      }),
      'a',
      /only/,
    ],
    ['another event', dispatchedJob(world, played, 'prod', { event_name: 'push' }), 'a', /a push event/],
    [
      'a workflow run that the code host does not know',
      dispatchedJob(world, played, 'prod', { run_id: '7' }),
      'a',
      /not dispatched/,
    ],
  ]
  for (const [what, job, key, says] of refusals) {
    for (const answer of await calls(job, key)) {
      t.match(answer, { status: 403, body: { code: 'forbidden', message: says } }, what)
    }
  }
  t.equal(await standing(world, applyId), 'applying: a applying, b applying, c pending')
  const rest = dispatchedJob(world, played, 'PROD', {
    workflow_ref: 'Acme/Infra/.github/workflows/svc-run.yml@refs/heads/main',
  })
  for (const answer of await calls(rest, 'a')) t.match(answer, { status: 200 }, 'names ignore letter case')
  t.match(await rest.join(applyId, { stacks: ['a'] }), {
    status: 409,
    body: { code: 'conflict', message: /a is applied/ },
  })
  t.match(await rest.join(applyId, { stacks: ['nowhere'] }), { status: 403 })
  t.match(await rest.join(applyId, { repo: 'acme/other' }), { status: 403 })
  t.match(await rest.join(applyId, { mode: 'plan' }), { status: 400, body: { details: { field: 'mode' } } })
  t.match(await rest.join(''), { status: 400 })
  t.match(await rest.ask('/v1/runs', { stacks: ['a'] }), { status: 400, body: { details: { field: 'run_id' } } })
  t.match(await rest.join(randomUUID()), { status: 404, body: { code: 'not_found' } })
  t.match(await rest.report(randomUUID(), 'a'), { status: 404 })
  const key = await addKey(world)
  const path = `/v1/runs/${applyId}/stacks/b/result`
  t.match(await send(world, key, path, { mode: 'apply', status: 'success' }), {
    status: 403,
    body: { message: /manual/ },
  })
})

t.test('plans that the service dispatches run under default', async (t) => {
  const { applyId, played } = await dispatchedApply(world, [['p']])
  await query(world, `update runs set mode = 'plan' where id = '${applyId}'`)
  const refused = await dispatchedJob(world, played, 'prod').join(applyId, { stacks: ['p'] })
  t.match(refused, { status: 403, body: { message: /the plan of p is to run under default/ } })
  t.match(await dispatchedJob(world, played, 'default').join(applyId, { stacks: ['p'] }), { status: 200 })
})

t.test('a job may ask before the answer to its dispatch is known', async (t) => {
  const { applyId, played, run } = await dispatchedApply(world, [['early'], ['later']])
  const unknown = `update dispatches set state = 'requested', workflow_run_id = null, workflow_run_attempt = null,
    snapshot = '{"value": "requested", "context": {"wave": 0, "part": 1, "refusals": 0}}' where run_id = '${applyId}'`
  await query(world, unknown)
  const stranger = world.repository.workflowRuns().find((one) => one.id !== run.id && one.now().status !== 'completed')!
  t.match(await dispatchedJob(world, stranger.play()).join(applyId), { status: 403 })
  t.same(await dispatchStates(world, applyId), ['0.1 requested'])
  const jobs = Array.from({ length: 8 }, () => dispatchedJob(world, played).join(applyId, { stacks: ['early'] }))
  t.ok(
    (await Promise.all(jobs)).every(({ status }) => status === 200),
    'all of its jobs at once, whichever is first',
  )
  t.same(await dispatchStates(world, applyId), ['0.1 bound'], 'by the name of the workflow run')
  t.match(await query(world, `select workflow_run_id from dispatches where run_id = '${applyId}'`), [
    { workflow_run_id: run.id },
  ])
})

t.test('a re-run of a workflow run whose dispatch is completed is refused', async (t) => {
  const { applyId, played, run } = await dispatchedApply(world, [['r', 's']])
  const job = dispatchedJob(world, played)
  await job.report(applyId, 'r')
  played.complete('failure')
  await world.settled()
  t.equal(await standing(world, applyId), 'failed: r applied, s unknown')
  run.rerun()
  const again = dispatchedJob(world, run.play())
  for (const answer of [
    await again.join(applyId, { stacks: ['s'] }),
    await again.report(applyId, 's'),
    await again.ask(`/v1/runs/${applyId}`),
  ]) {
    t.match(answer, { status: 403, body: { code: 'forbidden', message: /already completed/ } })
  }
  t.match(
    await job.report(applyId, 's'),
    { status: 200, body: { status: 'applied' } },
    'a late result of the first attempt',
  )
  t.equal(await standing(world, applyId), 'applied: r applied, s applied')
})

t.test('a re-run is refused too if the end before it was never reported', async (t) => {
  const { applyId, played, run } = await dispatchedApply(world, [['u', 'v']])
  const job = dispatchedJob(world, played)
  await job.report(applyId, 'u')
  const lost = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  played.complete('failure')
  run.rerun()
  const again = dispatchedJob(world, run.play())
  t.match(await again.join(applyId, { stacks: ['v'] }), { status: 403, body: { message: /already completed/ } })
  lost.remove()
  await world.settled()
  t.equal(await standing(world, applyId), 'failed: u applied, v unknown')
  t.same(await dispatchStates(world, applyId), ['0.1 completed'])
})

t.test('a job does not begin with a stack whose lock was released meanwhile', async (t) => {
  const { applyId, played } = await dispatchedApply(world, [['k', 'l']])
  const key = await addKey(world)
  const unlocked = await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'k' })
  t.equal(unlocked.status, 200)
  const job = dispatchedJob(world, played)
  t.match(await job.join(applyId, { stacks: ['k'] }), {
    status: 409,
    body: { code: 'conflict', message: /lock of k was released/ },
  })
  t.match(await job.join(applyId, { stacks: ['l'] }), { status: 200 })
  t.match(await job.report(applyId, 'k'), { status: 200 }, 'work that was done anyway is recorded')
})

t.test('after a newer commit the wave that is out may report, and nothing else begins', async (t) => {
  const { applyId, played, pull } = await dispatchedApply(world, [['x', 'y'], ['z']])
  const job = dispatchedJob(world, played)
  await job.join(applyId)
  await pull.push({ 'notes/newer.md': 'newer\n' })
  await world.settled()
  t.match(await job.report(applyId, 'x'), { status: 200 })
  t.match(await job.join(applyId, { stacks: ['y'] }), { status: 200 }, 'its wave is out')
  t.match(await job.report(applyId, 'y'), { status: 200 })
  t.equal(await standing(world, applyId), 'superseded: x applied, y applied, z skipped')
  t.match(await job.join(applyId), { status: 409, body: { code: 'superseded' } })
  t.match(await job.report(applyId, 'z'), { status: 403 })
  await world.settled()
  t.equal(dispatchedFor(world, applyId).length, 1)
})

t.test('600 stacks in one wave are three dispatches', async (t) => {
  const keys = Array.from({ length: 600 }, (_, n) => `many/${String(n).padStart(3, '0')}`)
  const { id, pull } = await planning(world, keys)
  const applyId = await beginApplyOf(world, { pull, waves: [keys], planRunId: id, environment: 'prod' })
  // not until all 600 are shown: other tests check that, and it takes half a minute here
  await until(async () => dispatchedFor(world, applyId).length === 3)
  const parts = dispatchedFor(world, applyId).map((run) => JSON.parse(run.now().inputs.stacks ?? '').include)
  t.same(
    parts.map((include) => include.length),
    [256, 256, 88],
  )
  t.same(
    parts.flat().map((entry) => entry.key),
    keys,
  )
  const third = dispatchedFor(world, applyId)[2]!.play()
  t.match(await dispatchedJob(world, third).report(applyId, keys[599]!), { status: 200 })
  t.match(await dispatchedJob(world, third).report(applyId, keys[0]!), { status: 403 }, 'of another part')
})
