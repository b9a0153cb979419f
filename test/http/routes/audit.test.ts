import t from 'tap'
import { withQuery } from '#test/helpers/lists.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const get = async (path: string): Promise<{ status: number; body: Json }> => send(world, key, path)
const url = '/v1/repos/acme/infra'
const { job, id } = await planning(world, ['app', 'network'])
await job.report(id, 'app')
const [{ id: app } = {}] = await query(world, `select id from stacks where key = 'app'`)
await planning(world, ['app', 'network'])

/** The number of a person's account. */
const accountOf = async (login: string): Promise<number> =>
  (await query(world, `select user_id from sessions where login = '${login}'`))[0]?.user_id

t.test('people see what they did, and what was done to repositories they see', async (t) => {
  await query(world, `delete from audit returning id`)
  const eves = await accountOf('eve')
  const add = (actor: string, action: string, target: string, details: object = {}, id: number | null = null) =>
    query(
      world,
      `insert into audit (actor, actor_id, action, target, details)
       values ('${actor}', ${id}, '${action}', '${target}', '${JSON.stringify(details)}') returning id`,
    )
  await add('ada', 'target', 'acme/infra')
  await add('ada', 'key', 'ACME/infra//net')
  await add('ada', 'kind', 'stack:acme/infra//net')
  await add('ada', 'details', 'anything', { repo: 'acme/infra', reason: '' })
  await add('eve-before', 'own', 'acme/infra', { repo: 'acme/infra' }, eves)
  await add('eve', 'namesake', 'acme/infra-2', {}, eves + 1000)
  await add('system', 'elsewhere', 'acme/infra-2', { repo: 'acme/infra-2' })
  await add('ada', 'unnamed', 'nothing')
  const actions = (page: Json): string[] => page.items.map((one: Json) => one.action)
  const all = ['unnamed', 'elsewhere', 'namesake', 'own', 'details', 'kind', 'key', 'target']
  t.same(actions((await get('/v1/audit')).body), all, 'a key sees all, newest first')
  t.same(actions((await ask(rita, '/v1/audit')).json), ['own', 'details', 'kind', 'key', 'target'])
  t.same(actions((await ask(eve, '/v1/audit')).json), ['own'])
  const [entry] = (await get('/v1/audit?limit=5')).body.items.slice(4)
  t.same(entry.details, { repo: 'acme/infra' }, 'empty fields are left out')
  t.match(entry.at, /Z$/)

  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = (await ask(rita, withQuery('/v1/audit', { limit: 2, cursor }))).json
    pages.push(actions(page))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  t.same(pages, [['own', 'details'], ['kind', 'key'], ['target']], 'pages are full of what she sees')
})

t.test('neither an answer nor its cursor tells of entries that a person may not see', async (t) => {
  const told = async (filter: Record<string, string>) =>
    (await ask(eve, withQuery('/v1/audit', { limit: 1, ...filter }))).json
  // two of each, of which a page of one would not be the last
  await query(
    world,
    `insert into audit (actor, action, target) select actor, action, target from audit where actor <> 'eve-before' returning id`,
  )
  for (const [filter, nothing] of [
    [{ repo: 'acme/infra-2' }, { repo: 'acme/nothing' }],
    [{ actor: 'ada' }, { actor: 'nobody' }],
    [{ target: 'stack:acme/infra//net' }, { target: 'stack:acme/infra//none' }],
    [{ action: 'key' }, { action: 'none' }],
    [
      { actor: 'ada', from: '2020-01-01T00:00:00Z' },
      { actor: 'ada', to: '2020-01-01T00:00:00Z' },
    ],
  ] as Record<string, string>[][]) {
    const there = await told(filter ?? {})
    t.same({ ...there, filters: {} }, { ...(await told(nothing ?? {})), filters: {} }, JSON.stringify(filter))
    t.same(there.items, [])
  }
  await query(
    world,
    `delete from audit where id not in (select min(id) from audit group by actor, action) returning id`,
  )
  const own = await told({ repo: 'acme/infra' })
  t.same([own.items.length, own.next_cursor], [1, undefined], 'that there are others than her own is not told')
})

t.test(
  'filters keep the entries of an actor, an action, a target, a repository and a time, and say which they are',
  async (t) => {
    const kept = async (parameters: Record<string, string>): Promise<string[]> => {
      const { status, body } = await get(`/v1/audit?${new URLSearchParams(parameters)}`)
      t.same([status, body.filters], [200, parameters])
      return body.items.map((one: Json) => one.action)
    }
    t.same(await kept({ actor: 'system' }), ['elsewhere'])
    t.same(await kept({ action: 'own' }), ['own'])
    t.same(await kept({ target: 'ACME/infra//net' }), ['key'], 'as it was written')
    const ofInfra = ['own', 'details', 'kind', 'key', 'target']
    t.same(await kept({ repo: 'acme/Infra' }), ofInfra, 'in any letter case, wherever it is named')
    t.same(await kept({ repo: 'acme/infra', actor: 'ada' }), ['details', 'kind', 'key', 'target'], 'all of them hold')
    t.same(await kept({ repo: 'acme/nowhere' }), [])
    const [{ at } = {}] = await query(
      world,
      `update audit set at = at - interval '1 week' where action = 'key' returning to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') at`,
    )
    t.same(await kept({ from: at, to: new Date(Date.parse(at) + 60_000).toISOString() }), ['key'], 'from a time on')
    t.notOk((await kept({ to: at })).length, 'and before one')
    t.match(await get('/v1/audit?from=yesterday'), { status: 400, body: { details: { field: 'from' } } })
    t.match(await get('/v1/audit?repo=acme'), { status: 400, body: { details: { field: 'repo' } } })
    t.same((await ask(eve, '/v1/audit?repo=acme/infra')).json.items.length, 1, 'people still see theirs alone')
    t.notOk((await get('/v1/audit?colour=red')).body.filters, 'an unknown one is not among them')

    world.repository.rename('platform')
    await world.settled()
    t.same((await kept({ repo: 'acme/platform', action: 'own' })).length, 1, 'under its former name, too')
    world.repository.rename('infra')
    await world.settled()
  },
)

t.test('what was done to a repository under a former name stays visible while its account has it', async (t) => {
  const seen = async (browser: typeof rita): Promise<number> => (await ask(browser, '/v1/audit')).json.items.length
  const [before, own] = [await seen(rita), await seen(eve)]
  const called = (owner: string, name: string) =>
    query(world, `update repositories set owner = '${owner}', name = '${name}' returning id`)
  const account = (from: string, to: string) =>
    query(world, `update installations set account_login = '${to}' where account_login = '${from}' returning id`)
  t.equal(before, 5)
  world.repository.rename('platform')
  await world.settled()
  t.equal(await seen(rita), before, 'renamed')
  await account('acme', 'apex')
  await called('apex', 'platform')
  t.equal(await seen(rita), before, 'after its account was renamed')
  await account('apex', 'acme')
  await query(
    world,
    `insert into repositories (id, installation_id, owner, name, default_branch)
     select 7, id, 'acme', 'infra', 'main' from installations where account_login = 'other' returning id`,
  )
  t.equal(await seen(rita), 0, 'but not once another repository has the name')
  await query(world, `delete from repositories where id = 7 returning id`)
  world.repository.transfer('other')
  await world.settled()
  t.match((await ask(eve, '/v1/repos')).json, { total: 1 })
  t.equal(await seen(eve), own, 'nor for its new owners')
  world.repository.transfer('acme')
  world.repository.rename('infra')
  await world.settled()
  t.equal(await seen(rita), before)
})

t.test('a cursor of another person shows none of their entries', async (t) => {
  await query(
    world,
    `insert into audit (actor, action, target) values ('ada', 'x', 'acme/infra'), ('ada', 'y', 'acme/infra') returning id`,
  )
  for (const path of ['/v1/audit', `${url}/runs`, `${url}/stacks`, `/v1/stacks/${app}/runs`]) {
    const { next_cursor: cursor } = (await get(`${path}?limit=1`)).body
    t.ok(cursor, path)
    const answer = await ask(eve, `${path}?cursor=${cursor}`)
    if (path === '/v1/audit') t.notMatch(answer.text, /"actor":"ada"/, path)
    else t.equal(answer.status, 404, path)
  }
})
