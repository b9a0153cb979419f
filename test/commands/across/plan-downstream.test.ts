import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { nudge } from '#test/helpers/nudge.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { auditOf, beginApplyOf, lose, report } from '#test/scenes/applying.ts'
import { crossRepositoryScene, external, plansOf, reads, told } from '#test/scenes/cross-repository.ts'
import { dispatched, shiftingClock, standing, warningsOf, withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, dependsOn, opened, query, stack } from '#test/scenes/scene.ts'

/*
 * What an apply means for other repositories (docs/interface.md, 'Cross-repository propagation'): acme/infra is applied, and
 * stacks of acme/app, acme/web and other/app name its stacks.
 */

const clock = shiftingClock()
const world = await startWorld(t, { files: withWorkflow, replaced: { clock } })
const { github, repository: infra } = world
github.createInstallation({ account: 'other', type: 'Organization' })

const { apply, beginManual, freed, merge, play, propagate, reportManual, repositoryWith, synchronised } =
  crossRepositoryScene(world, await addKey(world))

await merge(world, {
  stacks: [stack('net'), stack('dns'), { key: 'vpc:eu', path: 'vpc', instance: 'eu' }],
})
const app = await repositoryWith('acme/app', {
  stacks: [stack('api'), stack('web', { environment: 'prod' }), stack('idle'), external('Acme/infra//net')],
  edges: [reads('api', 'Acme/infra//net'), dependsOn('web', 'api')],
})
const stranger = await repositoryWith('other/app', {
  stacks: [stack('spy'), external('acme/infra//net')],
  edges: [reads('spy', 'acme/infra//net')],
})

const started = { stacks: [stack('net'), stack('dns')], tree_hash: 'on' }

t.test('by default other repositories are named, and nothing is planned there', async (t) => {
  const { job, id } = await opened(world)
  const answer = await job.upload(id, { graph: started, changed_paths: ['net/x', 'dns/x'] })
  t.same(answer.body.external, [
    { key: 'acme/app//api', repo: 'acme/app', relation: 'dependent', type: 'reads_state', stacks: ['net'] },
  ])
  t.equal(answer.body.warnings, undefined)
  await apply({ net: 'changed' })
  t.same(await plansOf(app), [])
})

t.test('neither a pull request nor an unreadable configuration turns it on', async (t) => {
  const { pull, job, id } = await opened(world, { 'svc.yml': 'version: 1\npropagate: { cross_repo: plan }\n' })
  const config = { version: 1, tool: 'terraform', propagate: { cross_repo: 'plan' } }
  t.equal((await job.upload(id, { graph: started, config, stacks: ['net'] })).status, 200)
  await job.report(id, 'net')
  const applyId = await beginApplyOf(world, { pull, waves: [['net']], planRunId: id })
  await report(world, applyId, 'net')
  await nudge(world.pool)
  await world.settled()
  t.same(await plansOf(app), [])
  await freed(pull, ['net'])
  const begun = await beginManual(['net'])
  await propagate('always')
  await reportManual(begun, 'net')
  t.same(await plansOf(app), [])
})

t.test('an apply plans the stacks that depend on what it changed, on the head of the default branch', async (t) => {
  await propagate('plan')
  const { job, id } = await opened(world)
  const answer = await job.upload(id, { graph: started, changed_paths: ['net/x'] })
  t.match(answer.body.warnings, [{ code: 'cross_repo', message: /planned once they are applied: acme\/app\/\/api$/ }])
  const head = await app.repository.push({ changes: { 'later.md': 'later\n' } })
  const applyId = await apply({ net: 'changed', dns: 'changed' })
  const [plan, ...more] = await plansOf(app)
  t.same(more, [])
  t.match(plan, { sha: head, status: 'planning' })
  t.match(told(plan), [
    new RegExp(
      `^upstream_run: planned because run ${applyId} of acme/infra applied what stacks here depend on: net\\.`,
    ),
  ])
  const rows = await query(
    world,
    `select key, environment, reasons, via, wave from run_stacks where run_id = '${plan?.id}' order by wave, key`,
  )
  t.same(rows, [
    { key: 'api', environment: 'default', reasons: ['reads_state'], via: ['Acme/infra//net'], wave: 0 },
    { key: 'web', environment: 'default', reasons: ['dependent'], via: ['api'], wave: 1 },
  ])
  const run = await dispatched(app, plan!.id)
  t.match(run.now().inputs, { mode: 'plan', sha: head })
  t.match(await auditOf(world, 'cross_repo_plan'), [
    {
      actor: 'system',
      target: 'acme/app',
      details: {
        repo: 'acme/app',
        run_id: plan?.id,
        sha: head,
        upstream_runs: [applyId],
        upstream_stacks: ['acme/infra//net'],
      },
    },
  ])
  await play(app, plan!.id, ['api', 'web'])
  t.equal(await standing(world, plan!.id), 'planned: api planned, web planned')
  t.same(await query(world, `select id from runs where repo_id = ${app.repository.id} and mode = 'apply'`), [])
  t.same(await plansOf(stranger), [], 'another account is left alone')
})

t.test('nothing is planned for a repeated job, or for a stack that the apply left unchanged', async (t) => {
  const before = (await plansOf(app)).length
  await query(
    world,
    `insert into jobs (queue, kind, payload) select queue, kind, payload from jobs
     where kind = 'cross_repo_plan' and key in (select 'after ' || upstream_run_id from cross_repo_plans)`,
  )
  await nudge(world.pool)
  await world.settled()
  await apply({ net: 'same', dns: 'changed' })
  await apply({ net: 'failed' })
  t.equal((await plansOf(app)).length, before)
})

t.test('of a failed apply the applied stacks count; applies during a plan are gathered', async (t) => {
  const before = (await plansOf(app)).length
  const first = await apply({ net: 'changed', dns: 'failed' })
  const [plan] = (await plansOf(app)).slice(before)
  t.match(told(plan), [new RegExp(first)])
  const meanwhile = [await apply({ net: 'changed' }), await apply({ net: 'changed' })]
  t.equal((await plansOf(app)).length, before + 1)
  await play(app, plan!.id, ['api', 'web'], 'failure')
  t.equal(await standing(world, plan!.id), 'failed: api failed, web failed')
  const [next, ...more] = (await plansOf(app)).slice(before + 1)
  t.same(more, [])
  t.same(
    told(next)
      .map((text) => /run (\S+) of/.exec(text)?.[1])
      .sort(),
    meanwhile.sort(),
  )
  await play(app, next!.id, ['api', 'web'])
  t.equal((await plansOf(app)).length, before + 2)
})

t.test('a plan that waits for its runner for a day gives way to the next', async (t) => {
  await apply({ net: 'changed' })
  const stuck = (await plansOf(app)).at(-1)!
  const gathered = await apply({ net: 'changed' })
  t.equal((await plansOf(app)).at(-1)!.id, stuck.id)
  await query(world, `update runs set created_at = created_at - interval '25 hours' where id = '${stuck.id}'`)
  const last = await apply({ net: 'changed' })
  t.equal(await standing(world, stuck.id), 'superseded: api superseded, web superseded')
  const plans = await plansOf(app)
  const next = plans.filter(({ status }) => status === 'planning')
  t.equal(next.length, 1)
  t.same(
    told(next[0])
      .map((text) => /run (\S+) of/.exec(text)?.[1])
      .sort(),
    [gathered, last].sort(),
  )
  await play(app, next[0]!.id, ['api', 'web'])
})

t.test('a stack whose result comes late is propagated then', async (t) => {
  const before = (await plansOf(app)).length
  const { pull, job, id } = await opened(world)
  await job.upload(id, { graph: started, stacks: ['net', 'dns'] })
  for (const name of ['net', 'dns']) await job.report(id, name)
  const applyId = await beginApplyOf(world, { pull, waves: [['net', 'dns']], planRunId: id })
  await lose(world, applyId, 'net')
  await report(world, applyId, 'dns')
  await nudge(world.pool)
  await world.settled()
  t.equal(await standing(world, applyId), 'failed: dns applied, net unknown')
  t.equal((await plansOf(app)).length, before)
  await report(world, applyId, 'net')
  await nudge(world.pool)
  await world.settled()
  t.equal(await standing(world, applyId), 'applied: dns applied, net applied')
  const [plan, ...more] = (await plansOf(app)).slice(before)
  t.same(more, [])
  await play(app, plan!.id, ['api', 'web'])
  await freed(pull, ['net', 'dns'])
})

t.test('without the workflow the run says so and ends', async (t) => {
  const web = await repositoryWith(
    'acme/web',
    { stacks: [stack('site'), external('acme/infra//vpc')], edges: [dependsOn('site', 'acme/infra//vpc')] },
    { 'svc.yml': 'version: 1\n' },
  )
  await apply({ 'vpc:eu': 'changed' })
  const [plan] = await plansOf(web)
  t.ok(plan, 'a directory means its instances')
  await until(async () => (await warningsOf(world, plan!.id)).length === 2)
  t.match(await warningsOf(world, plan!.id), [/applied what stacks here depend on: vpc:eu/, /svc-run\.yml/])
  clock.forward(45)
  await until(async () => (await standing(world, plan!.id)).startsWith('failed'))
  clock.back()
  t.equal(await standing(world, plan!.id), 'failed: site unknown')
})

t.test('what svc.yml keeps from being put in order stays wanted until it can be', async (t) => {
  const numbered = (group: string) => Array.from({ length: 450 }, (_, i) => stack(`${group}/s${i}`))
  const many = await repositoryWith('acme/many', {
    stacks: [...numbered('apps'), ...numbered('nets'), external('acme/infra//dns')],
    edges: [dependsOn('nets/s0', 'acme/infra//dns')],
  })
  await many.repository.push({
    changes: { 'svc.yml': 'version: 1\nstacks: [{match: "apps/**", depends_on: ["nets/**"]}]\n' },
  })
  await apply({ dns: 'changed' })
  t.same(await plansOf(many), [])
  t.same(
    await query(world, `select last_error from jobs where kind = 'cross_repo_plan' and last_error is not null`),
    [],
  )
  const tried = async () => (await query(world, `select 1 from jobs where kind = 'cross_repo_plan'`)).length
  const before = await tried()
  clock.forward(120)
  for (let minutes = 0; minutes < 16; minutes++) {
    clock.forward(1)
    await addJobs(world.pool, [makeJob('reconcile', { what: 'runs' }, { cause: null })])
    await world.settled()
  }
  clock.back()
  t.equal(await tried(), before + 2, 'after two hours it is tried each eight minutes')
  await many.repository.push({ changes: { 'svc.yml': 'version: 1\n' } })
  await apply({ dns: 'changed' })
  const [plan, ...more] = await plansOf(many)
  t.same(more, [])
  t.equal(told(plan).length, 2, 'because of both applies')
  await play(many, plan!.id, ['nets/s0'])
})

t.test('repositories that cannot be planned are left alone', async (t) => {
  const before = (await plansOf(app)).length
  const none = async (what: string) => {
    await world.settled()
    await apply({ net: 'changed' })
    t.equal((await plansOf(app)).length, before, what)
  }
  app.repository.archive(true)
  await synchronised()
  await none('archived')
  app.repository.archive(false)
  await synchronised()
  await query(world, `update repositories set removed_at = now() where id = ${app.repository.id}`)
  await none('removed')
  await synchronised()
  // removed after it was wanted
  const [last] = await query(
    world,
    `select id, repo_id, installation_id from runs where mode = 'apply' order by created_at desc limit 1`,
  )
  const want = () =>
    query(
      world,
      `insert into cross_repo_plans (installation_id, upstream_run_id, upstream_stack_id, repo_id)
       select installation_id, run_id, stack_id, ${app.repository.id} from run_stacks where run_id = '${last?.id}'`,
    )
  await want()
  await query(world, `update repositories set removed_at = now() where id = ${app.repository.id}`)
  await addJobs(world.pool, [
    makeJob(
      'cross_repo_plan',
      { repo_id: app.repository.id },
      { installationId: Number(last?.installation_id), cause: null },
    ),
  ])
  await nudge(world.pool)
  await world.settled()
  t.same(await query(world, 'select * from cross_repo_plans where run_id is null'), [])
  await synchronised()
  // the job for it was given up
  await want()
  await query(world, `update runs set finished_at = finished_at - interval '2 minutes' where id = '${last?.id}'`)
  await addJobs(world.pool, [makeJob('reconcile', { what: 'runs' }, { cause: null })])
  await world.settled()
  const [plan, ...more] = (await plansOf(app)).slice(before)
  t.same(more, [], 'found a minute later')
  await play(app, plan!.id, ['api', 'web'])
})

t.test('a repository is found under its old name until another takes that name', async (t) => {
  const before = (await plansOf(app)).length
  infra.rename('platform')
  await world.settled()
  await synchronised()
  await apply({ net: 'changed' })
  const [plan] = (await plansOf(app)).slice(before)
  t.match(told(plan), [/of acme\/platform applied/])
  await play(app, plan!.id, ['api', 'web'])
  await github.createRepository({ owner: 'acme', name: 'infra', files: withWorkflow })
  await synchronised()
  await apply({ net: 'changed' })
  t.equal((await plansOf(app)).length, before + 1)
})
