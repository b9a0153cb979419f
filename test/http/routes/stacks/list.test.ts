import t from 'tap'
import { applying, report } from '#test/scenes/applying.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const get = async (path: string): Promise<{ status: number; body: Json }> => send(world, key, path)
/* What is locked is not checked: the checks come first. */
await driftRun(world, 'app', 'changes')
await driftRun(world, 'network', 'none')
const { applyId } = await applying(world, [['network'], ['app']])
await world.settled()
await query(world, `update stacks set listed = true, node = jsonb_build_object('path', key) returning id`)
await query(
  world,
  `update stacks set node = node || '{"environment": "production", "tags": ["eu", "critical"]}' where key = 'app' returning id`,
)
await query(world, `update repositories set stack_count = 2 where full_name = 'acme/infra' returning id`)

/* The app uses a module that has a newer release; the network uses its newest. */
await query(
  world,
  `with family as (
     insert into modules (installation_id, id, key, kind, source, repo_name, path)
     select installation_id, gen_random_uuid(), 'acme/infra//net', 'git', 'x', 'acme/infra', 'net'
     from repositories where full_name = 'acme/infra' returning installation_id, id),
   tags as (
     insert into module_tags (installation_id, repo_id, tag, sha, tagged_at)
     select r.installation_id, r.id, t, repeat('a', 40), now() from repositories r, (values ('v1'), ('v2')) v(t)
     where r.full_name = 'acme/infra' returning repo_id, tag),
   versions as (
     insert into module_versions (installation_id, module_id, precedence, repo_id, tag, counts, newer)
     select f.installation_id, f.id, '000' || substr(tag, 2), repo_id, tag, true, 2 - substr(tag, 2)::int from family f, tags returning 1)
   insert into module_consumers (installation_id, module_id, stack_id, repo_id, ref, precedence)
   select f.installation_id, f.id, s.id, s.repo_id, u.ref, '000' || substr(u.ref, 2)
   from family f, (values ('app', 'v1'), ('network', 'v2')) u(key, ref) join stacks s on s.key = u.key returning stack_id as id`,
)

const keysOf = (page: Json): string[] => page.items.map((one: Json) => one.key)

t.test('stacks of all repositories are listed by key, by what is asked', async (t) => {
  const rules: [query: string, keys: string[], total?: number][] = [
    ['', ['app', 'network'], 2],
    ['repo=acme/infra', ['app', 'network'], 2],
    ['q=NET', ['network']],
    ['q=%25', []],
    ['environment=production', ['app']],
    ['environment=staging', []],
    ['tag=critical', ['app']],
    ['tag=crit', []],
    ['tag=eu&locked=true', ['app']],
    ['status=pending', ['app']],
    ['status=applying,failed', ['network']],
    ['status=pending,applying', ['app', 'network']],
    ['status=unknown', []],
    ['drifted=true', ['app']],
    ['drifted=false', ['network']],
    ['locked=true', ['app', 'network']],
    ['locked=false', []],
    ['behind=true', ['app']],
    ['behind=false', ['network']],
    ['drifted=true&behind=true&q=a', ['app']],
    ['drifted=true&behind=false', []],
  ]
  for (const [asked, keys, total] of rules) {
    const { status, body } = await get(`/v1/stacks?${asked}`)
    t.same([status, keysOf(body)], [200, keys], asked)
    t.equal(body.total, total, `${asked}: a total where counts are kept`)
    t.same(body.filters, asked === '' ? undefined : Object.fromEntries(new URLSearchParams(asked)), asked)
  }
})

t.test('a stack is as it is when asked for alone, with its status in the newest run', async (t) => {
  const [app, network] = (await get('/v1/stacks')).body.items
  t.same(app, (await get(`/v1/stacks/${app.id}`)).body)
  t.match(app, {
    repo: 'acme/infra',
    status: 'pending',
    tags: ['eu', 'critical'],
    drift: { drifted: true },
    lock: { run_id: applyId },
  })
  t.match(network, { status: 'applying', modules: [{ behind: 0 }] })
})

t.test('a filter is kept from page to page', async (t) => {
  const first = (await get('/v1/stacks?locked=true&limit=1')).body
  t.same(keysOf(first), ['app'])
  t.same(keysOf((await get(`/v1/stacks?locked=true&limit=1&cursor=${first.next_cursor}`)).body), ['network'])
})

t.test('what cannot be meant is 400, and names the field', async (t) => {
  for (const field of ['drifted', 'locked', 'behind', 'repo', 'limit']) {
    t.match(await get(`/v1/stacks?${field}=maybe`), { status: 400, body: { details: { field } } }, field)
  }
  t.match(await get('/v1/stacks?status=maybe'), { status: 400, body: { details: { field: /^status/ } } })
})

t.test('what runs did with a stack is listed by what they are for, page by page', async (t) => {
  const [network] = await query(world, `select id from stacks where key = 'network'`)
  const path = `/v1/stacks/${network?.id}/runs`
  const modesOf = ({ body }: Json): string[] => body.items.map(({ mode }: Json) => mode)
  t.same(modesOf(await get(path)), ['apply', 'plan', 'drift'])
  t.same(modesOf(await get(`${path}?mode=plan`)), ['plan'])
  const first = await get(`${path}?mode=drift,apply&limit=1`)
  t.same(modesOf(first), ['apply'])
  t.same(first.body.filters, { mode: 'drift,apply' })
  t.same(modesOf(await get(`${path}?mode=drift,apply&cursor=${first.body.next_cursor}`)), ['drift'])
  t.match(await get(`${path}?mode=other`), { status: 400, body: { details: { field: /^mode/ } } })
})

t.test('people see the stacks of their repositories alone', async (t) => {
  t.same(keysOf((await ask(rita, '/v1/stacks')).json), ['app', 'network'])
  t.match((await ask(eve, '/v1/stacks')).json, { items: [], total: 0 })
  for (const filter of ['q=a', 'status=pending', 'drifted=true', 'locked=true', 'behind=true'])
    t.same((await ask(eve, `/v1/stacks?${filter}`)).json.items, [], filter)
  t.equal((await ask(eve, '/v1/stacks?repo=acme/infra')).status, 404)
})

t.test('how the last apply ended is asked for by itself: a plan since then does not hide that it failed', async (t) => {
  await report(world, applyId, 'network', 'failed')
  await world.settled()
  t.same(keysOf((await get('/v1/stacks?status=failed')).body), ['network'])
  t.same(keysOf((await get('/v1/stacks?apply=failed')).body), ['network'])
  const { id, job } = await planning(world, ['network'])
  await job.report(id, 'network')
  await world.settled()
  t.same(keysOf((await get('/v1/stacks?status=failed')).body), [])
  const { items, filters } = (await get('/v1/stacks?apply=failed,unknown&locked=true')).body
  t.match(items, [{ key: 'network', status: 'planned', last_apply: { status: 'failed', run_id: applyId } }])
  t.same(filters, { apply: 'failed,unknown', locked: 'true' })
  t.same(keysOf((await get('/v1/stacks?apply=applied,noop')).body), [])
  t.match(await get('/v1/stacks?apply=maybe'), { status: 400, body: { details: { field: /^apply/ } } })
  t.same((await ask(eve, '/v1/stacks?apply=failed')).json.items, [])
})

t.test('stacks of a removed repository, and those that the default branch no longer has, are not listed', async (t) => {
  await query(world, `update stacks set listed = false where key = 'app' returning id`)
  t.same(keysOf((await get('/v1/stacks')).body), ['network'])
  await query(world, `update repositories set removed_at = now() returning id`)
  t.match((await get('/v1/stacks')).body, { items: [], total: 0 })
})
