import t from 'tap'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const keys = [
  'network',
  'data/network',
  'data/database',
  'apps/net',
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `many/service-${n}`),
]
const { id, pull } = await planning(world, keys)
const [{ sha } = {}] = await query(world, `select sha from runs where id = '${id}'`)
await query(world, `update stacks set listed = true returning id`)
await query(world, `update pull_requests set title = 'Grow the Database' returning number`)

const look = async (text: string): Promise<Json> => {
  const { status, body } = await send(world, key, `/v1/search?${new URLSearchParams({ q: text })}`)
  t.equal(status, 200, text)
  return body
}
const stacksOf = async (text: string): Promise<string[]> =>
  ((await look(text)).stacks ?? []).map(({ key }: Json) => key)

t.test('stacks are found by the words of their key, the nearest first', async (t) => {
  const rules: [text: string, keys: string[]][] = [
    ['network', ['network', 'data/network']],
    ['NET', ['network', 'apps/net', 'data/network']],
    ['data net', ['data/network']],
    ['base', ['data/database']],
    ['  data/database  ', ['data/database']],
    ['nothing', []],
    ['%', []],
    ['_', []],
    ['', []],
    ['   ', []],
  ]
  for (const [text, keys] of rules) t.same(await stacksOf(text), keys, `'${text}'`)
  t.equal((await stacksOf('many/service')).length, 8, 'eight at most')
})

t.test('a run is found by the first digits of its id or its commit', async (t) => {
  const wanted = {
    id,
    repo: 'acme/infra',
    sha,
    mode: 'plan',
    pr_number: pull.number,
    html_url: `http://svc.example.com/runs/${id}`,
  }
  for (const text of [id, id.slice(0, 8), id.slice(0, 13), id.toUpperCase(), sha, sha.slice(0, 7), sha.slice(0, 4)]) {
    t.match((await look(text)).runs, [wanted], text)
  }
  for (const text of [sha.slice(0, 3), `${sha}0`, 'zzzz', `${id}0`]) t.notOk((await look(text)).runs, text)
})

t.test('a pull request is found by its number, and by its title while it is open', async (t) => {
  const wanted = [{ repo: 'acme/infra', number: pull.number, title: 'Grow the Database', state: 'open' }]
  for (const text of [`#${pull.number}`, `${pull.number}`, 'grow', 'database grow']) {
    t.same((await look(text)).pull_requests, wanted, text)
  }
  t.notOk((await look('#99999')).pull_requests)
  await query(world, `update pull_requests set state = 'closed' returning number`)
  t.notOk((await look('grow')).pull_requests, 'closed')
  t.match((await look(`#${pull.number}`)).pull_requests, [{ state: 'closed' }])
})

t.test('repositories and modules are found by name', async (t) => {
  t.same((await look('ACME')).repositories, ['acme/infra'])
  await query(
    world,
    `insert into modules (installation_id, id, key, kind)
     select installation_id, '00000000-0000-4000-8000-000000000001', 'modules/vpc', 'local'
     from repositories where full_name = 'acme/infra' returning id`,
  )
  await query(
    world,
    `insert into module_listings (installation_id, module_id, repo_id)
     select installation_id, '00000000-0000-4000-8000-000000000001', id from repositories where full_name = 'acme/infra' returning repo_id`,
  )
  t.match((await look('vpc')).modules, [{ key: 'modules/vpc' }])
  t.match((await look('vpc mod')).modules, [{ key: 'modules/vpc' }])
  t.notOk((await look('vpc xyz')).modules)
})

t.test('people find what they see, and nothing of others', async (t) => {
  const found = async (browser: typeof rita, text: string): Promise<Json> =>
    (await ask(browser, `/v1/search?${new URLSearchParams({ q: text })}`)).json
  for (const text of ['network', sha, id, `#${pull.number}`, 'acme']) {
    t.not(Object.keys(await found(rita, text)).length, 0, text)
    t.same(await found(eve, text), {}, text)
  }
})

t.test('what cannot be looked for is 400', async (t) => {
  for (const asked of ['', `?q=${'x'.repeat(201)}`, '?q=a%00b', '?q=a&q=b']) {
    t.match(
      await send(world, key, `/v1/search${asked}`),
      { status: 400, body: { details: { field: 'q' } } },
      asked.slice(0, 20),
    )
  }
})
