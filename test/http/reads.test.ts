import { randomUUID } from 'node:crypto'
import t from 'tap'
import { foldRunCounts } from '#db/machines/run-counts.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { jobClaims } from '#test/helpers/runner.ts'
import { applying, beginApplyOf, report } from '#test/scenes/applying.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const get = async (path: string): Promise<{ status: number; body: Json }> => send(world, key, path)
const url = '/v1/repos/acme/infra'

/** network, and app that depends on it, of a pull request not merged yet. */
const first = await planning(world, ['network', 'app'], [dependsOn('app', 'network')])
const idOf = async (name: string): Promise<string> =>
  (await query(world, `select id from stacks where key = '${name}'`))[0]?.id
const [network, app] = [await idOf('network'), await idOf('app')]

t.test('every read is for people who see the repository and for keys, and for no other caller', async (t) => {
  const ofRepository = [
    `${url}/graph`,
    `${url}/graph?form=compact`,
    `${url}/runs`,
    `${url}/stacks`,
    `/v1/stacks/${network}`,
    `/v1/stacks/${network}/runs`,
    `/v1/runs/${first.id}`,
  ]
  const everywhere = ['/v1/overview', '/v1/repos', '/v1/audit']
  const plan = `/v1/runs/${first.id}/stacks/network/plan`
  for (const path of [...ofRepository, ...everywhere]) {
    t.equal((await get(path)).status, 200, `${path}: a key`)
    t.equal((await ask(rita, path)).status, 200, `${path}: a member of the organisation`)
  }
  for (const path of ofRepository) {
    t.match(await ask(eve, path), { status: 404, json: { code: 'not_found' } }, `${path}: another organisation's`)
  }
  for (const path of [...ofRepository, ...everywhere, plan]) {
    const nobody = await fetch(`${world.service.url}${path}`)
    t.equal(nobody.status, 401, `${path}: nobody`)
    t.equal(nobody.headers.get('www-authenticate'), 'Bearer realm="svc"')
    if (path === `/v1/runs/${first.id}`) continue
    const token = await world.github.mintToken(jobClaims(world, first.pull.number))
    t.match(await send(world, token, path), { status: 401, body: { code: 'unauthorized' } }, `${path}: a job`)
  }
})

t.test('missing things are 404, and malformed ones 400', async (t) => {
  const nothing = randomUUID()
  for (const path of [
    '/v1/repos/acme/other/runs',
    '/v1/repos/acme/other/stacks',
    '/v1/repos/acme/other/graph',
    '/v1/repos/acme/in%00fra/runs',
    '/v1/repos/acme%2Finfra/x/runs',
    `/v1/stacks/${nothing}`,
    `/v1/stacks/${nothing}/runs`,
    `/v1/runs/${nothing}/stacks/network/plan`,
    `/v1/runs/${first.id}/stacks/nothing/plan`,
    `/v1/runs/${first.id}/stacks/network/plan`,
    `${url}/graph?run=${nothing}`,
    `${url}/graph?ref=default`,
    `${url}/graph?ref=${'f'.repeat(40)}`,
    `${url}/graph?ref=fffffff`,
  ]) {
    t.match(await get(path), { status: 404, body: { code: 'not_found' } }, path)
  }
  for (const [path, field] of [
    ['/v1/stacks/1', 'id'],
    [`${url}/runs?status=done`, 'status'],
    [`${url}/runs?mode=destroy`, 'mode'],
    [`${url}/runs?pr=0`, 'pr'],
    [`${url}/runs?pr=-1`, 'pr'],
    [`${url}/runs?pr=99999999999`, 'pr'],
    [`${url}/runs?limit=0`, 'limit'],
    [`${url}/stacks?cursor=x`, 'cursor'],
    [`${url}/graph?run=1`, 'run'],
    [`${url}/graph?form=short`, 'form'],
    [`${url}/graph?ref=main`, 'ref'],
    [`${url}/graph?ref=abcdef`, 'ref'],
    [`${url}/graph?ref=${'a'.repeat(65)}`, 'ref'],
  ] as const) {
    t.match(await get(path), { status: 400, body: { code: 'invalid', details: { field } } }, path)
  }
})

t.test('before the first merge, the newest graph is shown, and its stacks are listed', async (t) => {
  const graph = (await get(`${url}/graph`)).body
  t.match(graph, { repo: 'acme/infra', sha: first.pull.headSha(), stack_ids: { app, network } })
  t.same(
    graph.graph.stacks.map((one: Json) => one.key),
    ['network', 'app'],
  )
  t.notOk('affected' in graph)
  const { items, total, next_cursor } = (await get(`${url}/stacks`)).body
  t.same({ total, next_cursor }, { total: 2, next_cursor: undefined })
  t.same(items, [
    { id: app, repo: 'acme/infra', key: 'app', path: 'app', status: 'planning', dependencies: ['network'] },
    { id: network, repo: 'acme/infra', key: 'network', path: 'network', status: 'planning', dependents: ['app'] },
  ])
})

t.test('a stack shows its last plan and apply, its drift and its lock', async (t) => {
  await first.job.report(first.id, 'network', { job_url: 'https://ci.example.com/1' })
  await first.job.report(first.id, 'app', { has_changes: false, exit_code: 0 })
  const sha = first.pull.headSha()
  const plan = { run_id: first.id, sha, pr_number: first.pull.number, mode: 'plan', status: 'planned' }
  const planned = (await get(`/v1/stacks/${network}`)).body
  t.match(planned.last_plan, { ...plan, summary: { adds: 1 }, job_url: 'https://ci.example.com/1' })
  t.match(planned.last_plan.finished_at, /^\d{4}-.*Z$/)
  t.notOk('last_apply' in planned || 'drift' in planned || 'lock' in planned)

  const applyId = await beginApplyOf(world, { pull: first.pull, waves: [['network']], planRunId: first.id })
  const locked = (await get(`/v1/stacks/${network}`)).body
  t.match(locked.lock, { stack_id: network, stack_key: 'network', run_id: applyId, pr_number: first.pull.number })
  t.notOk('last_apply' in locked, 'an apply under way is not the last apply')
  await report(world, applyId, 'network')
  const applied = (await get(`/v1/stacks/${network}`)).body
  t.match(applied.last_apply, { run_id: applyId, mode: 'apply', status: 'applied' })
  t.match(applied.last_plan, plan, 'the plan stays')

  const history = (await get(`/v1/stacks/${network}/runs`)).body
  t.same(
    history.items.map((one: Json) => [one.run_id, one.mode, one.status]),
    [
      [applyId, 'apply', 'applied'],
      [first.id, 'plan', 'planned'],
    ],
  )
})

t.test('a drift check is not a plan', async (t) => {
  const { last_plan } = (await get(`/v1/stacks/${app}`)).body
  await driftRun(world, 'app', 'none')
  t.match((await get(`/v1/stacks/${app}`)).body, { last_plan, drift: { drifted: false } })
})

t.test('after a merge, its graph is that of the default branch, whatever is uploaded later', async (t) => {
  await first.pull.merge()
  await world.settled()
  const later = await planning(world, ['app', 'cache'])
  for (const path of [`${url}/graph`, `${url}/graph?ref=default`]) {
    t.equal((await get(path)).body.sha, first.pull.headSha(), path)
  }
  const keys = async () => (await get(`${url}/stacks`)).body.items.map((one: Json) => one.key)
  t.same(await keys(), ['app', 'network'])
  t.match((await get(`/v1/stacks/${await idOf('cache')}`)).body, { key: 'cache', path: 'cache' }, 'found by its id')
  await later.pull.merge()
  await world.settled()
  t.same(await keys(), ['app', 'cache'])
  const { total } = (await get(`${url}/stacks`)).body
  t.equal(total, 2)
  t.match((await get('/v1/repos')).body.items, [{ stacks: 2 }])
  const gone = (await get(`/v1/stacks/${network}`)).body
  t.match(gone, { id: network, key: 'network', path: 'network', last_plan: { run_id: first.id } })
  t.notOk('dependents' in gone)
  await query(
    world,
    `insert into drift_states (installation_id, stack_id, repo_id, run_id, drifted, checked_at)
     select installation_id, id, repo_id, '${first.id}', true, now() from stacks where key in ('network', 'app')
     on conflict (installation_id, stack_id) do update set drifted = true returning 1`,
  )
  t.match((await get('/v1/repos')).body.items, [{ drifted: 1 }], 'an unlisted stack is not counted')
  t.match((await get('/v1/overview')).body, { drifted: 1 })
  await query(world, 'update drift_states set drifted = false returning 1')
  t.notOk('dependencies' in (await get(`/v1/stacks/${app}`)).body, 'app now depends on nothing')
})

t.test('a graph is found by its commit, the beginning of the commit, or a run', async (t) => {
  const sha = first.pull.headSha()
  for (const ref of [sha, sha.slice(0, 7), sha.slice(0, 12).toUpperCase()]) {
    t.equal((await get(`${url}/graph?ref=${ref}`)).body.sha, sha, ref)
  }
  const other = `${sha.slice(0, 8)}${'0'.repeat(32)}`
  await query(
    world,
    `insert into graphs (installation_id, id, repo_id, sha, tree_hash, body)
     select installation_id, gen_random_uuid(), id, '${other}', 't', '{}' from repositories where id = ${world.repository.id} returning id`,
  )
  const ambiguous = await get(`${url}/graph?ref=${sha.slice(0, 8)}`)
  t.match(ambiguous, { status: 400, body: { code: 'invalid', details: { field: 'ref', reason: /several/ } } })
  await query(world, `delete from graphs where sha = '${other}' returning id`)

  const ofRun = (await get(`${url}/graph?run=${first.id}`)).body
  t.match(ofRun, { sha, waves: [['network'], ['app']] })
  t.match(ofRun.affected, [
    { key: 'network', path: 'network', wave: 0, reasons: ['requested'] },
    { key: 'app', wave: 1 },
  ])
  const both = (await get(`${url}/graph?run=${first.id}&ref=default`)).body
  t.not(both.sha, sha, 'ref chooses the graph')
  t.same(both.waves, [['network'], ['app']], 'and run the stacks')
})

t.test('runs are filtered by pull request, mode and status, alone and together', async (t) => {
  const running = await applying(world, [['app']])
  await world.settled()
  const all = (await get(`${url}/runs`)).body.items as Json[]
  t.same(
    all.map(({ created_at }) => created_at),
    all
      .map(({ created_at }) => created_at)
      .toSorted()
      .reverse(),
    'newest first',
  )
  t.ok(all.every((run) => !('stacks' in run)))
  t.match(all[0], { id: running.applyId, repo: 'acme/infra', mode: 'apply', status: 'applying', waves: 1 })
  t.match(all[0].html_url, new RegExp(`/runs/${running.applyId}$`))
  const wanted: [query: string, is: (run: Json) => boolean][] = [
    ['mode=apply', ({ mode }) => mode === 'apply'],
    ['mode=drift', ({ mode }) => mode === 'drift'],
    ['mode=drift&status=applied', () => false],
    ['status=planned', ({ status }) => status === 'planned'],
    ['status=superseded', () => false],
    [`pr=${first.pull.number}`, ({ pr_number }) => pr_number === first.pull.number],
    [`pr=${first.pull.number}&mode=plan`, (run) => run.pr_number === first.pull.number && run.mode === 'plan'],
    ['mode=plan&status=planned', ({ mode, status }) => mode === 'plan' && status === 'planned'],
    [
      `pr=${first.pull.number}&status=applied`,
      (run) => run.pr_number === first.pull.number && run.status === 'applied',
    ],
    ['pr=4711', () => false],
    ['pr=&mode=&status=', () => true],
  ]
  for (const [filter, is] of wanted) {
    const { items } = (await get(`${url}/runs?${filter}`)).body
    t.same(items, all.filter(is), filter)
  }
})

t.test('repositories and the overview count what the caller sees', async (t) => {
  const { items, total } = (await get('/v1/repos')).body
  t.equal(total, 1)
  t.match(items, [
    { id: world.repository.id, full_name: 'acme/infra', default_branch: 'main', stacks: 2, drifted: 0, locks_held: 1 },
  ])
  t.equal(items[0].last_run_at, (await get(`${url}/runs`)).body.items[0].created_at)
  const seen = (await ask(rita, '/v1/overview')).json
  const rows = await query(world, 'select status, count(*) as n from runs group by status')
  t.match(seen, { repos: 1, stacks: 2, drifted: 0, locks_held: 1 })
  t.same(seen.runs_by_status, Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)])))
  t.same(seen.stacks_by_status, { applying: 1, planning: 1 })
  t.same(
    seen.recent_runs.map(({ id }: Json) => id),
    (await get(`${url}/runs`)).body.items.map(({ id }: Json) => id),
  )
  t.same((await ask(eve, '/v1/repos')).json, { items: [] })
  t.same((await ask(eve, '/v1/overview')).json, {
    ...{ repos: 0, stacks: 0, drifted: 0, locks_held: 0 },
    ...{ runs_by_status: {}, stacks_by_status: {} },
  })
})

t.test('counts of runs stay right when they are folded', async (t) => {
  const counts = async () => (await get('/v1/overview')).body.runs_by_status
  const before = await counts()
  await Promise.all([foldRunCounts(world.pool), foldRunCounts(world.pool)])
  t.same(await query(world, 'select * from run_count_changes'), [])
  t.same(await counts(), before)
  const one = await planning(world, ['app'])
  await one.job.report(one.id, 'app')
  t.equal((await counts()).planned, before.planned + 1)
  await addJobs(world.pool, [makeJob('reconcile', { what: 'runs' }, { cause: null })])
  await world.settled()
  t.same(await query(world, 'select * from run_count_changes'), [], 'folded by the job of every minute')
  t.equal((await counts()).planned, before.planned + 1)
})

t.test('a removed repository is absent, and comes back with its history', async (t) => {
  await query(world, `update repositories set removed_at = now() returning id`)
  t.same((await get('/v1/repos')).body, { items: [] })
  t.equal((await get(`${url}/runs`)).status, 404)
  const overview = (await get('/v1/overview')).body
  t.match(overview, { repos: 0, stacks: 0 })
  t.notOk('recent_runs' in overview, 'empty, so it is left out')
  await query(world, `update repositories set removed_at = null returning id`)
  t.match((await get('/v1/repos')).body, { total: 1 })
})

t.test('a run of hundreds of stacks is answered whole, in order', async (t) => {
  const keys = Array.from({ length: 450 }, (_, i) => `many/${String(i).padStart(4, '0')}`)
  const { job, id } = await planning(world, keys)
  await job.report(id, 'many/0007', { plan_text: 'x'.repeat(200_000) })
  const { stacks, ...run } = (await get(`/v1/runs/${id}`)).body
  t.match(run, { id, status: 'planning', waves: 1 })
  t.same(
    stacks.map((one: Json) => one.key),
    keys,
  )
  t.equal(stacks[7].plan_text.length, 200_000)
  const pending = await planning(world, [])
  t.match((await get(`/v1/runs/${pending.id}`)).body, { status: 'planned', stacks: undefined })
})
