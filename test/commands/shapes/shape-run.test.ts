import t from 'tap'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { addKey, dependsOn, openPull, planning, query, send, stack } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

t.test('a stack’s row has the fields of the interface, and none that is empty', async (t) => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  const nodes = [stack('net'), { ...stack('db'), key: 'db:eu', instance: 'eu', workspace: 'live', environment: 'prod' }]
  await job.upload(id, { graph: { stacks: nodes, edges: [dependsOn('db:eu', 'net')] }, changed_paths: ['net/x'] })
  const { started_at, ...net } = (await job.get(`/v1/runs/${id}`)).body.stacks[0]
  t.match(started_at, time)
  t.match(net.stack_id, uuid)
  const { stack_id } = net
  t.same(net, {
    stack_id,
    key: 'net',
    path: 'net',
    wave: 0,
    status: 'planning',
    reasons: ['changed'],
    plan_output: 'full',
    environment: 'default',
  })

  const summary = { adds: 0, changes: 1, destroys: 0, replaces: 0, imports: 2, added: [], changed: ['a.b'] }
  await job.post(`/v1/runs/${id}/stacks/net/checks/cost`, {
    status: 'warn',
    summary: 'more',
    details: 'much',
    details_url: 'https://c.example.com/',
  })
  await job.post(`/v1/runs/${id}/stacks/net/checks/bare`, { status: 'pass', summary: '', details_url: null })
  const row = await job.report(id, 'net', {
    summary,
    job_url: 'https://ci.example.com/1',
    plan_artifact: 'plan-net',
    plan_text: '',
    error_text: null,
    tool: 'tofu',
    tool_version: '1.9.0',
    duration_ms: 5,
    backend: { type: 's3', bucket: 'b', key: '', region: null },
    truncated: false,
    later_field: 1,
  })
  t.equal(row.status, 200)
  const { finished_at, started_at: again, checks, ...rest } = row.body
  t.equal(again, started_at)
  t.match(finished_at, time)
  t.same(
    checks.map(({ updated_at, ...check }: { updated_at: string }) => ({ ...check, updated: time.test(updated_at) })),
    [
      { name: 'bare', status: 'pass', updated: true },
      { name: 'cost', status: 'warn', summary: 'more', details_url: 'https://c.example.com/', updated: true },
    ],
  )
  t.same(rest, {
    ...net,
    status: 'planned',
    summary: { adds: 0, changes: 1, destroys: 0, replaces: 0, imports: 2, changed: ['a.b'] },
    exit_code: 2,
    job_url: 'https://ci.example.com/1',
    plan_artifact: 'plan-net',
  })
  t.match((await job.get(`/v1/runs/${id}`)).body.stacks[1], {
    key: 'db:eu',
    path: 'db',
    instance: 'eu',
    workspace: 'live',
    environment: 'prod',
    wave: 1,
  })
})

t.test('the lock on a stack is shown, whoever holds it', async (t) => {
  const { id, job } = await planning(world, ['locked'])
  const holder = await planning(world, ['elsewhere'])
  const [{ stack_id } = {}] = await query(world, `select stack_id from run_stacks where run_id = '${id}'`)
  const lock = (
    number: string,
  ) => `insert into locks (installation_id, stack_id, repo_id, state, run_id, pr_number, taken_at, fence, snapshot, version, seq)
    values ((select installation_id from repositories where id = ${world.repository.id}), '${stack_id}', ${world.repository.id}, 'held.changed', '${holder.id}', ${number}, '2026-01-02T03:04:05.006+02', 1, '{"value":"held","context":{}}', 1, 0)
    on conflict (installation_id, stack_id) do update set pr_number = excluded.pr_number`
  await query(world, `${lock('4711')} returning stack_id`)
  const shown = { stack_id, stack_key: 'locked', run_id: holder.id, taken_at: '2026-01-02T01:04:05.006Z' }
  t.same((await job.get(`/v1/runs/${id}`)).body.stacks[0].lock, { ...shown, pr_number: 4711, state: 'held.changed' })
  await query(world, `${lock('null')} returning stack_id`)
  t.same((await job.report(id, 'locked')).body.lock, shown, 'a manual run has no pull request')
  const blocked = await planning(world, ['locked'])
  const again = await blocked.job.upload(blocked.id, {
    graph: { stacks: [stack('locked')] },
    changed_paths: ['locked/x'],
  })
  t.match(again.body.affected, [{ key: 'locked', locked_by: { run_id: holder.id } }])
  await query(world, `update locks set state = 'free' where stack_id = '${stack_id}' returning stack_id`)
  t.notOk('lock' in (await blocked.job.get(`/v1/runs/${blocked.id}`)).body.stacks[0])
})

t.test('plan text is cut at 256 KB, between characters', async (t) => {
  const limit = 256 * 1024
  const cases: [what: string, text: string, kept: number][] = [
    ['just fits', 'x'.repeat(limit), limit],
    ['a byte too long', 'x'.repeat(limit + 1), limit],
    ['a cut within a character of four bytes', `x${'🚀'.repeat(70_000)}`, limit - 3],
    ['a cut within a character of two', `x${'é'.repeat(140_000)}`, limit - 1],
    ['a mark at the beginning', `\ufeff${'x'.repeat(limit)}`, limit],
  ]
  const { job, id } = await planning(
    world,
    cases.map((_, i) => `s${i}`),
  )
  for (const [i, [what, text, kept]] of cases.entries()) {
    const { status, body } = await job.report(id, `s${i}`, { plan_text: text })
    t.equal(status, 200, what)
    t.equal(Buffer.byteLength(body.plan_text), kept, what)
    t.ok(text.startsWith(body.plan_text), what)
    t.equal(body.truncated, i === 0 ? undefined : true, what)
    if (i === 2) t.same((await job.report(id, `s${i}`, { plan_text: text })).body, body, 'the same again is the same')
  }
})

t.test('a fault in a result or a verdict is 400, or repaired, and never an internal error', async (t) => {
  const { job, id, stackPath } = await planning(world, ['a', 'b', 'c', 'd'])
  const summary = { adds: 1, changes: 0, destroys: 0, replaces: 0 }
  const wrong: [result: object, field: string | RegExp][] = [
    [{ plan_text: 'a\0b' }, 'body'],
    [{ summary: { ...summary, added: ['a\0'] } }, 'body'],
    [{ exit_code: 1.5 }, 'exit_code'],
    [{ exit_code: 2 ** 53 }, 'exit_code'],
    [{ duration_ms: -1 }, 'duration_ms'],
    [{ summary: { ...summary, adds: -1 } }, 'summary.adds'],
    [{ summary: { adds: 1 } }, /^summary\./],
    [{ job_url: 'javascript:alert(1)' }, 'job_url'],
    [{ status: 'ok' }, 'status'],
    [{ mode: '' }, 'mode'],
    [{ backend: { bucket: 'b' } }, 'backend.type'],
  ]
  for (const [result, field] of wrong) {
    t.match(
      await job.report(id, 'a', result),
      { status: 400, body: { code: 'invalid', details: { field } } },
      JSON.stringify(result),
    )
  }
  const most = Number.MAX_SAFE_INTEGER
  const halves = {
    plan_text: 'half \ud83d',
    error_text: '\udc00',
    tool_version: '\ud800',
    summary: { ...summary, added: ['x\ud83d'] },
  }
  t.match(await job.report(id, 'b', halves), {
    status: 200,
    body: { plan_text: 'half \ufffd', error_text: '\ufffd', summary: { added: ['x\ufffd'] } },
  })
  const huge = {
    summary: { adds: most, changes: most, destroys: most, replaces: most, imports: most, output_changes: most },
  }
  t.match(await job.report(id, 'c', { ...huge, duration_ms: most, exit_code: -most }), {
    status: 200,
    body: { summary: { adds: most } },
  })
  const odd = { __proto__: null, constructor: 1, toString: 'x', hasOwnProperty: 2 }
  t.match(await job.report(id, 'd', odd), { status: 200 })
  const verdict = { status: 'pass', summary: 's'.repeat(400_000), details: `\ud83d${'d'.repeat(500_000)}` }
  t.match(await job.post(`${stackPath('a')}/checks/big`, verdict), { status: 200 })
  t.match(await job.post(`${stackPath('a')}/checks/nul`, { status: 'pass', details: '\0' }), { status: 400 })
  await job.report(id, 'a', {
    summary: { ...summary, added: Array.from({ length: 20_000 }, (_, i) => `aws_instance.it[${i}]`) },
  })
  await world.settled()
  t.match(
    await query(world, `select count(*) from jobs where state = 'dead' or last_error is not null`),
    [{ count: 0 }],
    'and everything can be shown',
  )
})

t.test('a run that affects nothing has no lists, nor has its graph', async (t) => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  await job.upload(id, { graph: { stacks: [stack('net')] }, changed_paths: ['README.md'] })
  const key = await addKey(world)
  const run = (await send(world, key, `/v1/runs/${id}`)).body
  t.match(run, { status: 'planned', waves: 0, counts: {} })
  for (const field of ['stacks', 'by_wave', 'warnings']) t.notOk(field in run, field)
  const { graph, stack_ids, ...more } = (await send(world, key, `/v1/repos/acme/infra/graph?run=${id}`)).body
  t.same(more, { repo: 'acme/infra', sha: pull.headSha() })
})

t.test('a stack affected for no recorded reason names none', async (t) => {
  const { id } = await planning(world, ['bare'])
  await query(world, `update run_stacks set reasons = '{}', via = '{}' where run_id = '${id}' returning key`)
  const key = await addKey(world)
  const { stacks } = (await send(world, key, `/v1/runs/${id}`)).body
  const { affected } = (await send(world, key, `/v1/repos/acme/infra/graph?run=${id}`)).body
  for (const [row] of [stacks, affected]) {
    t.equal(row.key, 'bare')
    t.notOk('reasons' in row)
  }
})

t.test('times are in UTC, and a run describes itself', async (t) => {
  const { job, id, pull } = await planning(world, ['a'])
  const { body } = await job.get(`/v1/runs/${id}`)
  const { created_at, started_at, stacks, base_sha, rev, by_wave, ...run } = body
  t.match(created_at, time)
  t.match(started_at, time)
  t.match(base_sha, /^[0-9a-f]{40}$/)
  t.equal(stacks.length, 1)
  t.ok(Number.isInteger(rev))
  t.same(by_wave, [{ wave: 0, counts: { planning: 1 }, started_at: stacks[0].started_at }])
  t.same(run, {
    id,
    repo: 'acme/infra',
    sha: pull.headSha(),
    pr_number: pull.number,
    trigger: 'pull_request',
    mode: 'plan',
    status: 'planning',
    requested_by: 'ada',
    waves: 1,
    current_wave: 0,
    html_url: `http://svc.example.com/runs/${id}`,
    pr_url: pull.url,
    commit_url: pull.url.replace(/pull.*/, `commit/${pull.headSha()}`),
    pr_title: 'A change',
    counts: { planning: 1 },
    totals: { adds: 0, changes: 0, destroys: 0, replaces: 0, imports: 0, moves: 0, output_changes: 0 },
    next: 'Nothing to do yet: plans appear here as their jobs report.',
  })
})
