import t from 'tap'
import type { Answer } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { dependsOn, opened, query, stack, why } from '#test/scenes/scene.ts'

/*
 * Each rule of resolution (docs/interface.md, 'POST /v1/runs/{id}/graph') as a job sees it: with the default branch's svc.yml
 * and the pull request's paths read from the code host. The domain's tests cover every way of hiding a stack.
 */

const directories = ['net', 'db', 'app', 'api', 'secret']
const world = await startWorld(t, {
  files: {
    'svc.yml': 'version: 1\n',
    ...Object.fromEntries(directories.map((path) => [`${path}/main.tf`, `# ${path}\n`])),
  },
})

/** Puts an svc.yml on the default branch. */
const settle = (yaml: string) => world.repository.push({ changes: { 'svc.yml': `version: 1\n${yaml}` } })

const stacks = directories.map((path) => stack(path))

const codes = ({ body }: Answer): string[] => (body.warnings ?? []).map(({ code }: { code: string }) => code)

t.test('the answer has each reason for which a stack is affected, its waves, and external stacks', async (t) => {
  const { job, id } = await opened(world)
  const module = { key: 'acme/infra//modules/vpc', kind: 'local', path: 'modules/vpc' }
  const graph = {
    stacks: [
      stack('net'),
      stack('db', { watch_paths: ['shared/db.tfvars'] }),
      stack('app', { environment: 'prod', workspace: 'live', tool: 'tofu', tool_version: '1.9.0' }),
      stack('api'),
      stack('secret'),
      { key: 'acme/dns//zones', path: 'zones', external: true, repo: 'acme/dns' },
    ],
    modules: [module],
    edges: [
      { from: { kind: 'stack', key: 'app' }, to: { kind: 'module', key: module.key }, type: 'uses_module' },
      { from: { kind: 'stack', key: 'api' }, to: { kind: 'stack', key: 'net' }, type: 'reads_state' },
      dependsOn('secret', 'api'),
      dependsOn('app', 'db'),
      dependsOn('net', 'acme/dns//zones'),
    ],
  }
  const answer = await job.upload(id, { graph, changed_paths: ['net/x.tf', 'shared/db.tfvars', 'modules/vpc/main.tf'] })
  t.equal(answer.status, 200)
  t.same(why(answer), [
    'db: watch_path',
    'net: changed',
    'api: reads_state via net',
    'app: module dependent via acme/infra//modules/vpc db',
    'secret: dependent via api',
  ])
  t.same(answer.body.waves, [['db', 'net'], ['api', 'app'], ['secret']])
  t.match(answer.body.external, [{ key: 'acme/dns//zones', repo: 'acme/dns', stacks: ['net'] }])
  t.equal(answer.body.unconfirmed, undefined)
  t.equal(answer.body.cycles, undefined, 'an empty field is left out')
  t.equal(answer.body.affected[0].via, undefined)
})

t.test('stacks restricts the run, and the stacks it names are requested', async (t) => {
  const { job, id } = await opened(world)
  const graph = { stacks, edges: [dependsOn('db', 'net')] }
  const answer = await job.upload(id, { graph, changed_paths: ['net/x.tf'], stacks: ['db', 'api'] })
  t.same(
    why(answer).map((line) => line.split(' via')[0]),
    ['api: requested', 'db: dependent requested'],
  )
  t.match((await job.get(`/v1/runs/${id}`)).body.stacks, [
    { key: 'api', wave: 0 },
    { key: 'db', reasons: ['dependent', 'requested'] },
  ])
})

t.test('a path that the job leaves out is known from the code host', async (t) => {
  const { job, id } = await opened(world, { 'db/main.tf': '# changed\n' })
  const answer = await job.upload(id, { graph: { stacks }, changed_paths: ['net/x.tf'] })
  t.same(why(answer), ['db: changed', 'net: changed'])
})

t.test('a node from a client older than instances gets its workspace as its instance', async (t) => {
  const { job, id } = await opened(world)
  const graph = {
    stacks: [
      { key: 'net', path: 'net', workspace: 'eu' },
      { key: 'db:eu', path: 'db', instance: 'eu' },
    ],
  }
  const answer = await job.upload(id, { graph, changed_paths: ['net/x.tf', 'db/x.tf'] })
  t.match(answer.body.affected, [
    { key: 'db:eu', instance: 'eu' },
    { key: 'net', instance: 'eu', workspace: 'eu' },
  ])
  t.match(await job.report(id, 'db:eu'), { status: 200, body: { key: 'db:eu', path: 'db', instance: 'eu' } })
  t.notOk('workspace' in (await job.report(id, 'db:eu')).body, 'workspace only if the stack selects one')
})

t.test('an uploaded configuration cannot hide what the default branch’s would find', async (t) => {
  await settle('stacks: [{match: db, depends_on: [net]}]\n')
  const { job, id } = await opened(world)
  const answer = await job.upload(id, { graph: { stacks }, changed_paths: ['net/x.tf'] })
  t.same(why(answer), ['net: changed', 'db: dependent via net'])
  t.same(answer.body.waves, [['net'], ['db']])
  t.match(answer.body.warnings, [
    { code: 'config_keys_differ', keys: ['stacks[db].depends_on'] },
    { code: 'planned_by_default_branch_config', stacks: ['db'] },
  ])
  const { warnings } = (await job.get(`/v1/runs/${id}`)).body
  t.match(warnings, [{ code: 'config_keys_differ', at: /Z$/ }, { code: 'planned_by_default_branch_config' }])
  await world.settled()
  await settle('')
})

t.test('stacks that only the default branch discovers are planned, unless their directory is deleted', async (t) => {
  const config = { version: 1, tool: 'terraform', discover: { include: ['**'], exclude: ['secret'] } }
  const without = stacks.filter(({ key }) => key !== 'secret')
  const before = await opened(world)
  t.equal((await before.job.upload(before.id, { graph: { stacks } })).status, 200, 'the latest graph has all of them')

  const hiding = await opened(world, { 'secret/main.tf': '# hidden change\n' })
  const hidden = await hiding.job.upload(hiding.id, { graph: { stacks: without, tree_hash: 'without' }, config })
  t.same(why(hidden), ['secret: changed'])
  t.same(codes(hidden), ['config_keys_differ', 'planned_by_default_branch_config'])
  t.match(await hiding.job.report(hiding.id, 'secret'), { status: 200, body: { status: 'planned' } })

  const again = await opened(world)
  t.equal((await again.job.upload(again.id, { graph: { stacks } })).status, 200)
  const deleting = await opened(world, { 'secret/main.tf': null })
  const removed = await deleting.job.upload(deleting.id, { graph: { stacks: without, tree_hash: 'without' }, config })
  t.same(why(removed), [])
  t.match(removed.body.warnings.at(-1), { code: 'stack_removed', stacks: ['secret'], message: /secret/ })
  t.match(await deleting.job.get(`/v1/runs/${deleting.id}`), { status: 409 }, 'with nothing to plan the run is planned')
  await world.settled()
  t.match(deleting.pull.comments().at(0)?.body, /secret/, 'and its comment names the removed stack')
})

t.test('plan_output: summary on the default branch holds, whatever the upload says', async (t) => {
  await settle('stacks: [{match: secret, plan_output: summary}]\n')
  const { pull, job, id } = await opened(world)
  const graph = { stacks: [stack('secret', { plan_output: 'full' }), stack('net', { plan_output: 'full' })] }
  const answer = await job.upload(id, { graph, changed_paths: ['secret/x', 'net/x'] })
  t.match(answer.body.matrix.include, [
    { key: 'net', plan_output: 'full' },
    { key: 'secret', plan_output: 'summary' },
  ])
  const sent = { plan_text: 'hunter2 in the plan', error_text: 'Error: hunter2 is wrong' }
  const row = await job.report(id, 'secret', { ...sent, status: 'failure', exit_code: 1 })
  t.match(row, { status: 200, body: { status: 'failed', plan_output: 'summary', exit_code: 1, summary: { adds: 1 } } })
  t.notMatch(JSON.stringify(row.body), 'hunter2')
  t.match(await job.report(id, 'net', sent), { body: { plan_text: /hunter2/, plan_output: 'full' } })
  await world.settled()
  const secrets = `select count(*) from results r join run_stacks s using (run_id, stack_id)
    where s.key = 'secret' and s.run_id = '${id}' and (r.plan_text is not null or r.body::text like '%hunter2%')`
  t.match(await query(world, secrets), [{ count: 0 }])
  const shown = pull.checkRuns().filter(({ name }) => name.endsWith(': secret'))
  t.equal(shown.length, 1)
  t.notMatch(JSON.stringify(shown), 'hunter2')
  await settle('')
})

t.test(
  'an invalid svc.yml on the default branch is audited once per commit, and each run that meets it says so',
  async (t) => {
    const sha = await settle('stakcs: []\n"a\\0b\\uD800": 1\n')
    for (const round of [1, 2]) {
      const { pull, job, id } = await opened(world)
      const answer = await job.upload(id, { graph: { stacks }, changed_paths: ['net/x.tf'] })
      t.equal(answer.status, 200)
      t.same(codes(answer), ['config_invalid'], `pull request ${round}`)
      t.match(answer.body.warnings[0].message, /no apply is allowed, and of plans only the summary is kept/)
      t.match(answer.body.warnings[0].message, /stakcs.*did you mean 'stacks'/)
      await world.settled()
      t.match(pull.comments().at(0)?.body, /stakcs/, 'in its comment')
    }
    t.match(await query(world, `select target, actor, details from audit where action = 'config_invalid'`), [
      { target: 'acme/infra', actor: 'system', details: { repo: 'acme/infra', sha } },
    ])
    await settle('stacks: [{match: net, environment: "a\\0b"}]\n')
    const { job, id } = await opened(world)
    t.same(codes(await job.upload(id, { graph: { stacks }, changed_paths: ['net/x.tf'] })), ['config_invalid'])
    await settle('')
  },
)
