import t from 'tap'
import { foldRunCounts } from '#db/machines/run-counts.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const get = async (path: string): Promise<{ status: number; body: Json }> => send(world, key, path)
const { job, id: first, pull } = await planning(world, ['app'])
await job.report(first, 'app')
const { id: second } = await planning(world, ['app', 'network'])
await query(world, `update runs set requested_by = case when id = '${second}' then 'eve' else 'rita' end returning id`)

const idsOf = (page: Json): string[] => page.items.map((one: Json) => one.id)

t.test('runs of all repositories are listed newest first, by what is asked', async (t) => {
  const rules: [query: string, ids: string[], total?: number][] = [
    ['', [second, first], 2],
    ['status=planned', [first], 1],
    ['status=failed', [], 0],
    ['status=failed,planned', [first], 1],
    ['open=true', [second], 1],
    ['open=false', [second, first], 2],
    ['mode=plan', [second, first]],
    ['mode=apply', []],
    ['mode=apply,plan', [second, first]],
    ['actor=eve', [second]],
    ['repo=acme/infra', [second, first], 2],
    ['repo=acme/infra&open=true', [second], 1],
    [`repo=acme/infra&pr=${pull.number}`, [first]],
    [`repo=acme/infra&pr=${pull.number}&status=failed`, []],
    ['mode=plan&status=planned', [first]],
  ]
  for (const [asked, ids, total] of rules) {
    const { status, body } = await get(`/v1/runs?${asked}`)
    t.same([status, idsOf(body)], [200, ids], asked)
    t.equal(body.total, total, `${asked}: a total where counts are kept`)
    t.same(body.filters, asked === '' ? undefined : Object.fromEntries(new URLSearchParams(asked)), asked)
  }
})

t.test('a status is found whether its count is folded or yet to be', async (t) => {
  const found = async (): Promise<string[][]> => [
    idsOf((await get('/v1/runs?status=planned')).body),
    idsOf((await get('/v1/runs?open=true')).body),
  ]
  await query(
    world,
    `with gone as (delete from run_counts returning installation_id, repo_id, status, runs)
     insert into run_count_changes (installation_id, repo_id, status, change)
     select installation_id, repo_id, status, runs from gone returning 1`,
  )
  t.same(await found(), [[first], [second]])
  await foldRunCounts(world.pool)
  t.same(await query(world, 'select 1 from run_count_changes'), [])
  t.same(await found(), [[first], [second]])
})

t.test('a status that is named twice counts once', async (t) => {
  const { body } = await get('/v1/runs?status=planned,planned')
  t.same([idsOf(body), body.total, body.filters], [[first], 1, { status: 'planned' }])
})

t.test('what cannot be meant is 400, and names the field', async (t) => {
  const rules: [query: string, field: string][] = [
    ['pr=7', 'pr'],
    ['open=true&status=planned', 'open'],
    ['open=yes', 'open'],
    ['status=done', 'status'],
    ['mode=plan,destroy', 'mode'],
    ['status=planned,', 'status'],
    ['repo=acme', 'repo'],
  ]
  for (const [asked, field] of rules) {
    t.match(await get(`/v1/runs?${asked}`), { status: 400, body: { details: { field } } }, asked)
  }
})

t.test('people see the runs of their repositories alone', async (t) => {
  t.same(idsOf((await ask(rita, '/v1/runs')).json), [second, first])
  t.match((await ask(eve, '/v1/runs')).json, { items: [], total: 0 })
  t.equal((await ask(eve, '/v1/runs?repo=acme/infra')).status, 404)
})

t.test('runs of an installation that is gone are not listed, nor in the overview', async (t) => {
  const seen = async (): Promise<unknown[]> => {
    const [list, { body }] = [await get('/v1/runs'), await get('/v1/overview')]
    return [idsOf(list.body), body.recent_runs?.map((run: Json) => run.id), body.open_runs?.total]
  }
  const all = [[second, first], [second, first], 1]
  t.same(await seen(), all)
  await query(world, 'update installations set removed_at = now() returning id')
  t.same(await seen(), [[], undefined, undefined])
  await query(world, 'update installations set removed_at = null returning id')
  t.same(await seen(), all)
})

t.test('runs of a removed repository are not listed, those of others beside it are', async (t) => {
  const queries = ['', 'mode=plan', 'mode=apply,plan', 'actor=rita', 'status=planned', 'open=false']
  const listed = async (): Promise<string[][]> =>
    Promise.all(queries.map(async (asked) => idsOf((await get(`/v1/runs?${asked}`)).body)))
  const before = await listed()
  await query(
    world,
    `insert into repositories (id, installation_id, owner, name, default_branch)
     select 99, installation_id, owner, 'retired', default_branch from repositories where name = 'infra' returning id`,
  )
  const [{ id: third } = { id: '' }] = await query(
    world,
    `with added as (
       insert into runs (installation_id, id, repo_id, sha, mode, trigger, requested_by, status, snapshot, version, seq, created_at)
       select installation_id, gen_random_uuid(), 99, sha, mode, trigger, requested_by, status, snapshot, version, seq, now()
       from runs where id = '${first}' returning *
     ), counted as (
       insert into run_counts (installation_id, repo_id, status, runs) select installation_id, repo_id, status, 1 from added)
     select id from added`,
  )
  t.same(
    await listed(),
    before.map((ids) => [third, ...ids]),
  )
  await query(world, 'update repositories set removed_at = now() where id = 99 returning id')
  t.same(await listed(), before)
  await query(world, 'update repositories set removed_at = now() returning id')
  t.same(
    await listed(),
    queries.map(() => []),
  )
  t.match((await get('/v1/runs')).body, { items: [], total: 0 })
})
