import { randomUUID } from 'node:crypto'
import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { git, merged, use } from '#test/scenes/modules-in-use.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, service, rita, eve } = await twoOrganisations(t)
const { github } = world
const key = await addKey(world)
const mods = await github.createRepository({ owner: 'acme', name: 'mods', files: { 'net/main.tf': '# one\n' } })
const app = await github.createRepository({ owner: 'other', name: 'app', files: { 'svc.yml': 'version: 1\n' } })
await query(world, `insert into jobs (queue, kind, payload) values ('jobs', 'sync_installations', '{}') returning id`)
await world.settled()

const list = async (search = '') => (await send(world, key, `/v1/modules${search}`)).body
const named = async (name: string) => (await list(`?q=${encodeURIComponent(name)}`)).items[0]
const detail = async (name: string) => (await send(world, key, `/v1/modules/${(await named(name)).id}`)).body
const behind = async (name: string) =>
  Object.fromEntries(
    ((await named(name)).consumers ?? []).map((one: { stack_key: string; ref?: string; behind?: number }) => [
      `${one.stack_key} ${one.ref ?? '-'}`,
      one.behind,
    ]),
  )

t.test('nothing recorded is an empty page, without a total', async (t) => {
  t.same(await list(), { items: [] })
})

t.test('modules come with the default branch, and their versions with the tags of their repository', async (t) => {
  const first = await mods.head()
  await mods.pushTags({ name: 'net/v1.0.0', message: 'Net' }, { name: 'other/v9.9.9' }, { name: 'net/v1.2.0' })
  t.same(await query(world, `select kind from jobs where kind = 'read_tags'`), [], 'there is no module yet')
  await merged(
    world,
    ['a', 'b', 'c'],
    [
      git('acme/mods//net'),
      git('acme/mods//net@net/v1.0.0'),
      { key: 'acme/infra//modules/label', kind: 'local', path: 'modules/label' },
      { key: 'ns/vpc/aws', kind: 'registry', source: 'ns/vpc/aws' },
    ],
    [
      use('stack a', 'acme/mods//net@net/v1.0.0'),
      use('stack a', 'acme/infra//modules/label'),
      use('stack b', 'acme/mods//net', 'main'),
      use('stack c', 'acme/mods//net', 'net/v1.2.0'),
      use('module acme/infra//modules/label', 'ns/vpc/aws', '~> 3.0'),
    ],
  )
  const page = await list()
  t.equal(page.total, 3)
  t.same(
    page.items.map((item: { key: string; kind: string }) => [item.key, item.kind]),
    [
      ['acme/infra//modules/label', 'local'],
      ['acme/mods//net', 'git'],
      ['ns/vpc/aws', 'registry'],
    ],
    'families, by key',
  )
  const net = await detail('acme/mods//net')
  const [{ id: a }] = (await query(world, `select id from stacks where key = 'a'`)) as [{ id: string }]
  t.match(net, { key: 'acme/mods//net', kind: 'git', source: /acme\/mods/, latest: 'net/v1.2.0' })
  t.same(net.consumers[0], { stack_id: a, repo: 'acme/infra', stack_key: 'a', ref: 'net/v1.0.0', behind: 1 })
  t.same(await behind('acme/mods//net'), { 'a net/v1.0.0': 1, 'b main': undefined, 'c net/v1.2.0': 0 })
  t.same(
    net.versions.map(({ version, sha }: { version: string; sha: string }) => [version, sha]),
    [
      ['net/v1.2.0', first],
      ['net/v1.0.0', first],
    ],
  )
  for (const { tagged_at } of net.versions) t.ok(Math.abs(Date.parse(tagged_at) - Date.now()) < 60_000, tagged_at)
  const { items } = page
  t.notOk('versions' in items[1], 'only in the answer for a single one')
  t.same(await behind('ns/vpc'), { 'a ~> 3.0': undefined }, 'through another module')
  t.notOk('latest' in items[2] || 'behind' in items[2].consumers[0])
})

t.test('consumers=none counts who uses a module, and how many are behind', async (t) => {
  const { items, filters } = await list('?consumers=none')
  t.same(filters, { consumers: 'none' })
  const used = { stacks: 1, repositories: 1, behind: 0, most_behind: 0 }
  const counts = items.map((one: { counts: object; consumers?: object }) => one.consumers ?? one.counts)
  t.same(counts, [used, { ...used, stacks: 3, behind: 1, most_behind: 1 }, used])
  t.same((await ask(rita, '/v1/modules?consumers=none')).json.items, items, 'who sees the same gets the same')
  t.same((await ask(eve, '/v1/modules?consumers=none')).json.items, [])
})

t.test('a stack names the modules that it uses', async (t) => {
  const stacks = (await send(world, key, '/v1/repos/acme/infra/stacks')).body.items
  const modules = Object.fromEntries(stacks.map((one: { key: string; modules: object }) => [one.key, one.modules]))
  t.same(modules, {
    a: [
      { module_key: 'acme/infra//modules/label' },
      { module_key: 'acme/mods//net', ref: 'net/v1.0.0', latest: 'net/v1.2.0', behind: 1 },
      { module_key: 'ns/vpc/aws', ref: '~> 3.0' },
    ],
    b: [{ module_key: 'acme/mods//net', ref: 'main', latest: 'net/v1.2.0' }],
    c: [{ module_key: 'acme/mods//net', ref: 'net/v1.2.0', latest: 'net/v1.2.0', behind: 0 }],
  })
  for (const stack of stacks) t.same((await send(world, key, `/v1/stacks/${stack.id}`)).body.modules, stack.modules)
})

t.test('tags come, in any order, and go', async (t) => {
  await mods.pushTags({ name: 'net-v2.0.0-rc.1' })
  await world.settled()
  t.equal((await named('mods//net')).latest, 'net/v1.2.0', 'a pre-release is not the latest')
  await mods.publishRelease({ tag: 'v1.10.0' })
  await mods.pushTags({ name: 'v1.9.0' })
  await world.settled()
  t.equal((await named('mods//net')).latest, 'v1.10.0')
  t.same(await behind('mods//net'), { 'a net/v1.0.0': 3, 'b main': undefined, 'c net/v1.2.0': 2 })
  await mods.deleteTag('v1.10.0')
  await world.settled()
  t.equal((await named('mods//net')).latest, 'v1.9.0')
  const sha = await mods.push({ changes: { 'net/main.tf': '# two\n' } })
  await mods.pushTags({ name: 'v1.9.0' })
  await world.settled()
  t.equal((await detail('mods//net')).versions[1].sha, sha, 'a tag that was moved')
})

/** Runs the daily job of the schedule. */
const lookDaily = () =>
  query(
    world,
    `insert into jobs (queue, kind, key, payload) values ('jobs', 'reconcile', 'tags', '{"what":"tags"}') returning id`,
  )

t.test('more than three tags at once cause no webhook: the daily job finds them', async (t) => {
  await mods.pushTags(...['v3.0.0', 'v3.1.0', 'v3.2.0', 'v3.3.0'].map((name) => ({ name })))
  await world.settled()
  t.equal((await named('mods//net')).latest, 'v1.9.0')
  await lookDaily()
  await world.settled()
  t.equal((await named('mods//net')).latest, 'v3.3.0')
})

t.test('tags of a repository without modules are not read', async (t) => {
  const plain = await github.createRepository({ owner: 'acme', name: 'plain', files: { 'a.tf': '' } })
  await plain.pushTags({ name: 'v1.0.0' })
  await world.settled()
  const jobs = await query(world, `select state from jobs where queue = 'events' and payload->>'ref' = 'v1.0.0'`)
  t.same(jobs, [{ state: 'ignored' }])
})

t.test('dates are asked for a hundred at a time', async (t) => {
  await mods.pushTags(...Array.from({ length: 120 }, (_, patch) => ({ name: `v4.0.${patch}` })))
  await lookDaily()
  const waiting = `kind = 'read_tags' and state = 'queued' and run_at > now() + interval '30 seconds'`
  await until(async () => (await query(world, `select id from jobs where ${waiting}`)).length > 0)
  const dated = async () =>
    (await detail('mods//net')).versions.filter((one: { tagged_at?: string }) => one.tagged_at).length
  const before = await dated()
  t.ok(before >= 100 && before < 120, `${before}`)
  await query(world, `update jobs set run_at = now() where ${waiting} returning id`)
  await world.settled()
  t.equal(await dated(), (await detail('mods//net')).versions.length)
})

t.test('the id of a pinned module is answered with its family', async (t) => {
  const pins = await query(world, `select id, key from modules where family_id is not null and key like 'acme/mods%'`)
  t.same(pins.map(({ key: pin }) => pin).sort(), [
    'acme/mods//net@main',
    'acme/mods//net@net/v1.0.0',
    'acme/mods//net@net/v1.2.0',
  ])
  const family = await detail('mods//net')
  for (const { id } of pins) t.same((await send(world, key, `/v1/modules/${id}`)).body, family)
})

t.test('filters, pages, and invalid ids', async (t) => {
  const keys = async (search: string) => (await list(search)).items.map((item: { key: string }) => item.key)
  t.same(await keys('?q=VPC'), ['ns/vpc/aws'])
  t.same(await keys('?q=%25'), [], 'a pattern character has no special meaning')
  t.same(await list('?q=nothing'), { items: [], filters: { q: 'nothing' } }, 'no total for an empty list')
  t.equal((await list('?q=vpc')).total, 1)
  const first = await list('?limit=2')
  t.same([first.items.length, first.total, typeof first.next_cursor], [2, 3, 'string'], 'the total is of all pages')
  const second = await list(`?limit=2&cursor=${first.next_cursor}`)
  t.same([second.items.length, 'next_cursor' in second], [1, false])
  const cases: [path: string, status: number, field?: string][] = [
    ['?limit=0', 400, 'limit'],
    ['?limit=many', 400, 'limit'],
    ['?cursor=x', 400, 'cursor'],
    ['?q=a%00', 400, 'q'],
    ['?consumers=all', 400, 'consumers'],
    [`?cursor=${Buffer.from('["modules","a\\u0000"]').toString('base64url')}`, 400, 'cursor'],
    ['/x', 400, 'id'],
    [`/${randomUUID()}`, 404],
  ]
  for (const [path, status, field] of cases) {
    const answer = await send(world, key, `/v1/modules${path}`)
    t.equal(answer.status, status, path)
    if (field) t.match(answer.body, { code: 'invalid', details: { field } }, path)
  }
})

t.test('a person sees the modules of their accounts and those with a consumer they see', async (t) => {
  const ids = async () => (await list()).items.map(({ id }: { id: string }) => id)
  t.same((await ask(rita, '/v1/modules')).json.items, (await list()).items, 'all belong to acme')
  t.notOk('total' in (await ask(rita, '/v1/modules')).json, 'the total is for API keys')
  t.same((await ask(eve, '/v1/modules')).json, { items: [] })
  for (const id of await ids()) t.equal((await ask(eve, `/v1/modules/${id}`)).status, 404)
  for (const search of ['?limit=1', '?limit=1&q=acme', '?limit=1&q=none'])
    t.same(
      (await ask(eve, `/v1/modules${search}`)).json.next_cursor,
      undefined,
      `${search}: nothing tells that there are others`,
    )
  t.equal((await fetch(`${service.url}/v1/modules`)).status, 401)
})

t.test('naming a module of another organisation reveals nothing of that organisation', async (t) => {
  const there = { ...world, repository: app }
  await merged(
    there,
    ['theirs'],
    [
      git('acme/mods//net'),
      { key: 'acme/infra//modules/label', kind: 'registry', source: 'evil' },
      { key: 'modules/own', kind: 'local' },
    ],
    [use('stack theirs', 'acme/mods//net', 'v1.0.0'), use('stack theirs', 'modules/own')],
  )
  const page = (await ask(eve, '/v1/modules')).json
  t.same(
    page.items.map((item: { key: string }) => item.key),
    ['acme/mods//net', 'other/app//modules/own'],
  )
  const first = (await ask(eve, '/v1/modules?limit=1')).json
  t.same([first.items[0]?.key, JSON.parse(atob(first.next_cursor))[1]], ['acme/mods//net', 'acme/mods//net'])
  const second = (await ask(eve, `/v1/modules?limit=1&cursor=${first.next_cursor}`)).json
  t.same([second.items[0]?.key, second.next_cursor], ['other/app//modules/own', undefined])
  const own = (await ask(eve, '/v1/modules?limit=1&q=modules/')).json
  t.same([own.items.length, own.next_cursor], [1, undefined], 'that others have the text in a key is not told')
  const [net] = page.items
  t.notOk('latest' in net, 'tags of a repository that eve does not see')
  const [{ stack_id, ...consumer }, ...more] = net.consumers
  t.same([consumer, more], [{ repo: 'other/app', stack_key: 'theirs', ref: 'v1.0.0' }, []])
  const [counted] = (await ask(eve, '/v1/modules?consumers=none')).json.items
  t.same(counted.counts, { stacks: 1, repositories: 1, behind: 0, most_behind: 0 }, 'of what eve sees alone')
  const one = (await ask(eve, `/v1/modules/${net.id}`)).json
  t.same([one.versions, one.consumers], [undefined, net.consumers])
  t.match((await ask(rita, `/v1/modules/${net.id}`)).json, { latest: 'v4.0.119' })
  t.notMatch((await ask(rita, '/v1/modules')).text, /other|theirs/)
  t.match(await named('modules/label'), { kind: 'local' }, 'a module is local if its own repository says so')
  t.equal((await named('mods//net')).consumers.length, 4, 'an API key sees all')
  t.equal((await list('?q=mods//net')).items.length, 1, 'what two organisations use is one module')
  const rows = await query(world, `select id from modules where key = 'acme/mods//net' and family_id is null`)
  t.equal(rows.length, 2)
  for (const { id } of rows)
    t.match((await send(world, key, `/v1/modules/${id}`)).body, await detail('mods//net'), 'by the id of either')
})

t.test('a module that no default branch has any more is not listed, and keeps its id', async (t) => {
  const { id } = await named('ns/vpc')
  await merged(world, ['a', 'b'], [git('acme/mods//net')], [use('stack b', 'acme/mods//net', 'v3.3.0')])
  t.same((await list('?q=vpc')).items, [])
  t.match((await send(world, key, `/v1/modules/${id}`)).body, { id, key: 'ns/vpc/aws' })
  t.same(await behind('mods//net'), { 'b v3.3.0': 120, 'theirs v1.0.0': 126 })
})

t.test('a module is also found by the former name of its repository, with the current versions', async (t) => {
  mods.rename('modules')
  await world.settled()
  await mods.pushTags({ name: 'v5.0.0' })
  await world.settled()
  t.match(await named('mods//net'), { latest: 'v5.0.0', consumers: [{ behind: 121 }, { behind: 127 }] })
  await merged(
    world,
    ['a', 'b'],
    [git('acme/mods//net'), git('acme/modules//net')],
    [use('stack a', 'acme/modules//net', 'v4.0.119'), use('stack b', 'acme/mods//net', 'v3.3.0')],
  )
  t.match(await named('acme/modules//net'), { latest: 'v5.0.0', consumers: [{ stack_key: 'a', behind: 1 }] })
  t.match(await named('acme/mods//net'), { latest: 'v5.0.0', consumers: [{ behind: 121 }, { behind: 127 }] })
  await lookDaily()
  await world.settled()
  t.equal((await named('acme/mods//net')).latest, 'v5.0.0')
})

t.test('modules that only removed repositories have are not listed', async (t) => {
  const gone = (at: string) =>
    query(world, `update repositories set removed_at = ${at} where name = 'app' returning id`)
  t.match((await ask(eve, '/v1/modules')).json.items, [{ key: 'acme/mods//net' }, { key: 'other/app//modules/own' }])
  await gone('now()')
  t.same((await ask(eve, '/v1/modules')).json, { items: [] })
  const { items, total } = await list()
  t.match(items, [{ key: 'acme/mods//net', consumers: [{ stack_key: 'b' }] }, { key: 'acme/modules//net' }])
  t.same([items.length, total], [2, 2])
  await gone('null')
  t.equal((await list()).total, 4)
})
