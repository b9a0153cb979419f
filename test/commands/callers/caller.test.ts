import { randomUUID } from 'node:crypto'
import t from 'tap'
import { moveRepository } from '#db/repositories/move-repository.ts'
import { transact } from '#db/transact.ts'
import { type Claims, jobClaims, playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { addKey, hostGate, openPull, planning, query, send } from '#test/scenes/scene.ts'

const gate = hostGate()
const world = await startWorld(t, { replaced: { fetch: gate.fetch } })
const pullPath = (number: number) => `/api/v3/repos/acme/infra/pulls/${number}`

t.test('a caller that may not read a pull request’s run may not open one', async (t) => {
  const { pull, id } = await planning(world, ['a'])
  const body = { repo: 'acme/infra', sha: pull.headSha(), pr_number: pull.number, mode: 'plan' }
  const main = 'refs/heads/main'
  const cases: [what: string, claims: Claims][] = [
    ['a push', { event_name: 'push', ref: main }],
    ['a dispatch', { event_name: 'workflow_dispatch', ref: main }],
    ['a schedule', { event_name: 'schedule', ref: main }],
    ['pull_request_target, whose ref any fork may lead to', { event_name: 'pull_request_target' }],
    ['a merge queue', { event_name: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-1-a' }],
    ['a pull request whose ref is its head', { ref: `refs/pull/${pull.number}/head` }],
    ['another pull request', { ref: `refs/pull/${pull.number + 1000}/merge` }],
  ]
  for (const [what, claims] of cases) {
    const token = () => world.github.mintToken(jobClaims(world, pull.number, claims))
    t.match(await send(world, await token(), '/v1/runs', body), { status: 403, body: { code: 'forbidden' } }, what)
    for (const path of [
      `/v1/runs/${id}`,
      `/v1/runs/${id}/graph`,
      `/v1/runs/${id}/stacks/a/result`,
      `/v1/runs/${id}/stacks/a/checks/c`,
    ]) {
      const sent = path.endsWith(id) ? undefined : { mode: 'plan', status: path.endsWith('/c') ? 'pass' : 'success' }
      t.match(
        await send(world, await token(), path, sent),
        { status: 403, body: { code: 'forbidden' } },
        `${what}: ${path}`,
      )
    }
  }
})

t.test('a job of another repository learns nothing of this one’s stacks', async (t) => {
  const { id } = await planning(world, ['a'])
  const elsewhere = await world.github.createRepository({
    owner: 'acme',
    name: `other-${id.slice(0, 8)}`,
    files: { 'a/main.tf': '#\n' },
  })
  await world.settled()
  await query(
    world,
    `insert into repositories (id, installation_id, owner, name, default_branch)
    select ${elsewhere.id}, installation_id, 'acme', '${elsewhere.name}', 'main' from repositories limit 1 on conflict do nothing`,
  )
  const claims = { repository_id: String(elsewhere.id), repository: elsewhere.fullName }
  const token = () => world.github.mintToken(jobClaims(world, 1, claims))
  for (const key of ['a', 'no-such-stack']) {
    const verdict = await send(world, await token(), `/v1/runs/${id}/stacks/${key}/checks/c`, { status: 'pass' })
    t.match(verdict, { status: 403, body: { message: /another repository/ } }, key)
    t.notMatch(JSON.stringify(verdict.body), 'no-such-stack')
  }
  t.match(await send(world, await token(), `/v1/runs/${id}`), { status: 403 })
  t.match(await send(world, await token(), `/v1/runs/${randomUUID()}`), { status: 404 })
})

t.test('an API key reads plan runs and touches none', async (t) => {
  const { id, pull, graph } = await planning(world, ['a'])
  const key = await addKey(world)
  t.match(await send(world, key, `/v1/runs/${id}`), { status: 200, body: { id, stacks: [{ key: 'a' }] } })
  const body = { repo: 'acme/infra', sha: pull.headSha(), pr_number: pull.number, mode: 'plan' }
  t.match(await send(world, key, '/v1/runs', body), { status: 400, body: { code: 'invalid' } })
  t.match(await send(world, key, `/v1/runs/${id}/graph`, { graph }), { status: 403 })
  t.match(await send(world, key, `/v1/runs/${id}/stacks/a/result`, { mode: 'plan', status: 'success' }), {
    status: 403,
  })
  t.match(await send(world, key, `/v1/runs/${id}/stacks/a/checks/c`, { status: 'pass' }), { status: 403 })
})

t.test('a pull request from a fork, a missing one, and a body that contradicts the token are refused', async (t) => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull)
  for (const repo of [{ id: 4711 }, null]) {
    gate.change((path, body) => (path === pullPath(pull.number) ? { ...body, head: { ...body.head, repo } } : body))
    t.match(await job.open(), { status: 403, body: { code: 'forbidden', message: /fork/ } }, JSON.stringify(repo))
  }
  gate.change(undefined)
  const token = () => world.github.mintToken(jobClaims(world, 999_999))
  const gone = { repo: 'acme/infra', sha: pull.headSha(), pr_number: 999_999 }
  t.match(await send(world, await token(), '/v1/runs', gone), { status: 404, body: { code: 'not_found' } })
  const body = { repo: 'acme/infra', sha: pull.headSha(), pr_number: pull.number }
  t.match(await job.post('/v1/runs', { ...body, repo: 'acme/other' }), { status: 403 })
  t.match(await job.post('/v1/runs', { ...body, pr_number: pull.number + 1 }), { status: 403 })
  t.match(await job.post('/v1/runs', { ...body, mode: 'drift' }), {
    status: 400,
    body: { details: { field: 'mode' } },
  })
  t.match(await job.post('/v1/runs', { ...body, repo: 'ACME/Infra', mode: '' }), { status: 201 }, 'names ignore case')
})

t.test('a repository renamed a moment ago goes by both names', async (t) => {
  const pull = await openPull(world, {})
  const token = () => world.github.mintToken(jobClaims(world, pull.number, { repository: 'acme/renamed' }))
  const body = { repo: 'acme/renamed', sha: pull.headSha(), pr_number: pull.number }
  const opened = await send(world, await token(), '/v1/runs', body)
  t.match(opened, { status: 201, body: { run: { repo: 'acme/infra' } } })
  const graph = { repo: 'acme/renamed', sha: pull.headSha(), tree_hash: 't', stacks: [], edges: [] }
  t.match(await send(world, await token(), `/v1/runs/${opened.body.run_id}/graph`, { graph }), { status: 200 })
  t.match(await send(world, await token(), '/v1/runs', { ...body, repo: 'acme/infra' }), { status: 200 })
})

t.test(
  'a plan under way is refused while its installation is suspended or removed, and goes on under another',
  async (t) => {
    const { pull, job, id } = await planning(world, ['a', 'b'])
    const restore = async (column: string) => {
      t.match(await job.report(id, 'a'), { status: 403, body: { code: 'forbidden' } }, column)
      await query(world, `update installations set ${column} = null`)
    }
    await query(world, 'update installations set suspended_at = now()')
    await restore('suspended_at')
    await query(world, 'update installations set removed_at = now()')
    await restore('removed_at')
    t.equal((await job.report(id, 'a')).status, 200, 'and goes on afterwards')
    await query(
      world,
      `insert into installations (id, account_id, account_login, account_type) values (77, 5, 'umbrella', 'Organization')`,
    )
    const [{ installation_id: home } = {}] = await query(
      world,
      `select installation_id from repositories where id = ${world.repository.id}`,
    )
    const move = async (from: number, to: number, owner: string) => {
      await transact(world.pool, (tx) => moveRepository(tx, { id: world.repository.id, installation_id: from, to }))
      await query(world, `update repositories set owner = '${owner}' where id = ${world.repository.id}`)
    }
    await move(home, 77, 'umbrella')
    t.match(await job.report(id, 'b'), { status: 200 }, 'a run outlives the move of its repository')
    const [{ lane } = {}] = await query(
      world,
      `select lane from jobs where kind = 'publish_run' and key = '${id}' order by id desc limit 1`,
    )
    t.equal(lane, 'shown 77', 'and the installation that has it now publishes it')
    await move(77, home, 'acme')
    // jobs that could not publish from there wait a minute
    await until(async () => {
      await query(
        world,
        `update jobs set run_at = now() where state = 'queued' and last_error is not null returning id`,
      )
      return (await query(world, `select id from jobs where state in ('queued', 'running')`)).length === 0
    })
    t.ok(pull.checkRuns().length > 0, 'back home, they publish')
  },
)

t.test('a refusal by the code host is reported, and not taken for an error of the service', async (t) => {
  const refused = await startWorld(t, {
    replaced: {
      fetch: async (input, init) => {
        const url = new URL(new Request(input, init).url)
        if (!url.pathname.includes('/pulls/')) return fetch(input, init)
        return Response.json({ message: 'Resource not accessible by integration' }, { status: 403 })
      },
    },
  })
  const there = await openPull(refused, {})
  const answer = await playJob(refused, there).open()
  t.match(answer, { status: 403, body: { code: 'forbidden', message: /not accessible by integration/ } })
})
