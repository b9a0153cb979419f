import { randomUUID } from 'node:crypto'
import t from 'tap'
import { type Answer, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import {
  addKey,
  type Claims,
  hostGate,
  jobClaims,
  openPull,
  planning,
  query,
  secondInstance,
  send,
  until,
} from './scene.ts'

const gate = hostGate()
const world = await startWorld(t, { replaced: { fetch: gate.fetch } })
const other = await secondInstance(t, world)
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const pullPath = (number: number) => `/api/v3/repos/acme/infra/pulls/${number}`

t.test('jobs that open one head at once, on two instances, share one run', async (t) => {
  const pull = await openPull(world, {})
  const jobs = Array.from({ length: 12 }, (_, i) => playJob(i % 2 ? world : other, pull))
  const answers = await Promise.all(jobs.map((job) => job.open()))
  t.same(statuses(answers), [...Array.from({ length: 11 }, () => 200), 201])
  t.equal(new Set(answers.map(({ body }) => body.run_id)).size, 1)
  t.match(await query(world, `select count(*) from runs where pr_number = ${pull.number}`), [{ count: 1 }])
})

t.test('jobs of two heads at once: whoever is first, the older head ends superseded', async (t) => {
  for (let round = 0; round < 2; round += 1) {
    const pull = await openPull(world, {})
    const old = pull.headSha()
    const early = playJob(world, pull).open(old)
    const head = await pull.push({ 'notes/more.md': `${round}\n` })
    const [first, second] = await Promise.all([early, playJob(other, pull).open(head)])
    t.equal(second.status, 201)
    if (first.status !== 201) t.match(first, { status: 409, body: { code: 'superseded' } })
    const runs = await query(
      world,
      `select sha, status from runs where pr_number = ${pull.number} and sha <> '${head}'`,
    )
    t.ok(runs.every(({ status }) => status === 'superseded'))
  }
})

t.test('a head that is pushed over while it is being read gets no run', async (t) => {
  const pull = await openPull(world, {})
  const old = pull.headSha()
  const held = gate.hold(pullPath(pull.number))
  const late = playJob(world, pull).open(old)
  await held.arrived
  await pull.push({ 'notes/more.md': 'more\n' })
  t.equal((await playJob(other, pull).open()).status, 201)
  held.release()
  t.match(await late, { status: 409, body: { code: 'superseded', message: /not the head/ } })
  t.match(await query(world, `select count(*) from runs where pr_number = ${pull.number}`), [{ count: 1 }])
})

t.test('a read that an older answer overtook is made once more', async (t) => {
  const pull = await openPull(world, {})
  const old = pull.headSha()
  const head = await pull.push({ 'notes/more.md': 'more\n' })
  await world.settled()
  const held = gate.hold(pullPath(pull.number))
  const opening = playJob(world, pull).open(head)
  await held.arrived
  // what a replica of the code host that is behind answers to a job of the old head, asked later
  gate.change((path, body) => (path === pullPath(pull.number) ? { ...body, head: { ...body.head, sha: old } } : body))
  const stale = await playJob(world, pull).open(old)
  gate.change(undefined)
  t.equal(stale.status, 201)
  held.release()
  t.match(await opening, { status: 201, body: { run: { sha: head } } })
  t.match(await query(world, `select status from runs where id = '${stale.body.run_id}'`), [{ status: 'superseded' }])
})

t.test('a pull request that is closed while it is being read gets no run', async (t) => {
  const pull = await openPull(world, {})
  const held = gate.hold(pullPath(pull.number))
  const opening = playJob(world, pull).open()
  await held.arrived
  await pull.close()
  await world.settled()
  held.release()
  t.match(await opening, { status: 409, body: { code: 'conflict', message: /closed/ } })
  t.match(await query(world, `select state from pull_requests where number = ${pull.number}`), [{ state: 'closed' }])
  await pull.reopen()
  t.equal((await playJob(world, pull).open()).status, 201, 'and one when it is open again')
})

t.test('a new run supersedes every plan run of older heads, the finished ones too', async (t) => {
  const { pull, job, id } = await planning(world, ['a'])
  await job.report(id, 'a')
  const again = playJob(world, pull)
  const second = (await again.open()).body.run_id
  t.not(second, id, 'all jobs of another workflow run make a run of their own')
  const old = pull.headSha()
  await pull.push({ 'notes/more.md': 'more\n' })
  const third = (await playJob(world, pull).open()).body.run_id
  const runs = await query(world, `select id, status from runs where pr_number = ${pull.number}`)
  t.same(
    new Map(runs.map(({ id, status }) => [id, status])),
    new Map([
      [id, 'superseded'],
      [second, 'superseded'],
      [third, 'pending'],
    ]),
  )
  t.match(await job.report(id, 'a'), { status: 409, body: { code: 'superseded' } }, 'even a repeat')
  await world.settled()
  t.ok(pull.checkRuns(old).every(({ status, conclusion }) => status === 'completed' && conclusion !== null))
  t.match(pull.comments().at(0)?.body, pull.headSha().slice(0, 7), 'the comment is of the new head')
})

t.test('a head that comes back after another gets a run of its own, not the superseded one', async (t) => {
  const pull = await openPull(world, {})
  const first = playJob(world, pull)
  const old = pull.headSha()
  const { run_id: superseded } = (await first.open()).body
  await pull.push({ 'notes/more.md': 'more\n' })
  await playJob(world, pull).open()
  gate.change((path, body) => (path === pullPath(pull.number) ? { ...body, head: { ...body.head, sha: old } } : body))
  t.match(await first.open(old), { status: 409, body: { code: 'superseded' } }, 'the job of then')
  const back = await playJob(world, pull).open(old)
  gate.change(undefined)
  t.equal(back.status, 201)
  t.not(back.body.run_id, superseded)
})

t.test('run_id names the run: this pull request’s own, of its head', async (t) => {
  const { pull, id } = await planning(world, ['a'])
  const elsewhere = await planning(world, ['a'])
  const job = playJob(world, pull)
  const named = (run_id: string) =>
    job.post('/v1/runs', { repo: 'acme/infra', sha: pull.headSha(), pr_number: pull.number, run_id })
  t.match(await named(id), { status: 200, body: { run_id: id, existing: true } })
  t.match(await named(id.toUpperCase()), { status: 200, body: { run_id: id } }, 'in any letter case')
  for (const foreign of [elsewhere.id, randomUUID()])
    t.match(await named(foreign), { status: 403, body: { code: 'forbidden' } })
  await pull.push({ 'notes/more.md': 'more\n' })
  t.match(await named(id), { status: 409, body: { code: 'superseded' } }, 'a run of an older head')
})

t.test('who reads no pull request’s run opens none', async (t) => {
  const { pull, id } = await planning(world, ['a'])
  const body = { repo: 'acme/infra', sha: pull.headSha(), pr_number: pull.number, mode: 'plan' }
  const main = 'refs/heads/main'
  const cases: [what: string, claims: Claims][] = [
    ['a push', { event_name: 'push', ref: main }],
    ['a dispatch', { event_name: 'workflow_dispatch', ref: main }],
    ['a schedule', { event_name: 'schedule', ref: main }],
    ['pull_request_target, whose ref anybody’s fork may lead to', { event_name: 'pull_request_target' }],
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

t.test(
  'a pull request from a fork, one that is not there, and a body that says otherwise than the token',
  async (t) => {
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
    t.match(
      await job.post('/v1/runs', { ...body, repo: 'ACME/Infra', mode: '' }),
      { status: 201 },
      'names know no case',
    )
  },
)

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

t.test('a plan under way hears of a suspended, a removed and another installation', async (t) => {
  const { pull, job, id } = await planning(world, ['a', 'b'])
  const restore = async (column: string) => {
    t.match(await job.report(id, 'a'), { status: 403, body: { code: 'forbidden' } }, column)
    await query(world, `update installations set ${column} = null`)
  }
  await query(world, 'update installations set suspended_at = now()')
  await restore('suspended_at')
  await query(world, 'update installations set removed_at = now()')
  await restore('removed_at')
  t.equal((await job.report(id, 'a')).status, 200, 'and goes on when it is let')
  await query(
    world,
    `insert into installations (id, account_id, account_login, account_type) values (77, 5, 'umbrella', 'Organization')`,
  )
  const [{ installation_id: home } = {}] = await query(
    world,
    `select installation_id from repositories where id = ${world.repository.id}`,
  )
  await query(
    world,
    `update repositories set installation_id = 77, owner = 'umbrella' where id = ${world.repository.id}`,
  )
  t.match(await job.report(id, 'b'), { status: 200 }, 'a run outlives the move of its repository')
  const [{ lane } = {}] = await query(
    world,
    `select lane from jobs where kind = 'publish_run' and key = '${id}' order by id desc limit 1`,
  )
  t.equal(lane, 'installation 77', 'and is published by the installation that has it now')
  await query(
    world,
    `update repositories set installation_id = ${home}, owner = 'acme' where id = ${world.repository.id}`,
  )
  const putOff = `update jobs set run_at = now() where state = 'queued' and last_error like '%no token%' returning id`
  await until(async () => (await query(world, putOff)).length > 0)
  await world.settled()
  t.ok(pull.checkRuns().length > 0, 'back home, what could not be published is')
})

t.test('what the code host refuses is told, and not taken for an error of the service', async (t) => {
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
