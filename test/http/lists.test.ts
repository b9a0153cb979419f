import t from 'tap'
import { seed } from '#dev/seed.ts'
import { firstRepository, firstStack, lists, signIn, withQuery } from '#test/helpers/lists.ts'
import { addKey, type Json, serve } from '#test/scenes/served.ts'

const service = await serve(t)
await seed(service.databaseUrl, { runs: 6000, stacks: 1200, journal: 12_000, audit: 1200, repositories: 30 })
const key = await addKey(service.databaseUrl, 'lists')
const get = (path: string) => service.call('GET', path, undefined, key)
const idsOf = (items: Json[]): string[] =>
  items.map((one) => String(one.id ?? one.run_id ?? one.seq ?? one.details?.pr ?? one.stack_id))

t.test('pages follow each other without gap or repetition, to the last', async (t) => {
  for (const [name, path] of Object.entries(lists)) {
    const whole: string[] = []
    const pages: number[] = []
    let cursor: string | undefined
    do {
      const { status, json, text } = await get(withQuery(path, { limit: 500, cursor }))
      if (status !== 200) throw new Error(`${path}: ${text}`)
      whole.push(...idsOf(json.items))
      pages.push(json.items.length)
      cursor = json.next_cursor
    } while (cursor !== undefined)
    t.ok(pages.length === 1 || pages.slice(0, -1).every((length) => length === 500), `${name}: full pages but the last`)
    t.equal(new Set(whole).size, whole.length, `${name}: nothing twice`)

    const first = (await get(path)).json
    t.same(idsOf(first.items), whole.slice(0, 50), `${name}: 50 unless asked`)
    t.equal('next_cursor' in first, whole.length > 50, `${name}: a next page only if there is more`)
    const third = (await get(withQuery(path, { limit: 7, cursor: first.next_cursor }))).json
    if (first.next_cursor) t.same(idsOf(third.items), whole.slice(50, 57), `${name}: another limit goes on from there`)
    const exactly = (await get(withQuery(path, { limit: Math.min(whole.length, 500) }))).json
    t.equal('next_cursor' in exactly, whole.length > 500, `${name}: no page after a full last page`)
  }
})

t.test('a limit above 500 counts as 500, and an invalid one is 400', async (t) => {
  const { runs = '' } = lists
  for (const limit of ['501', '100000', '0500', '99999999999999999999']) {
    t.equal((await get(withQuery(runs, { limit }))).json.items.length, 500, limit)
  }
  t.equal((await get(withQuery(runs, { limit: 1 }))).json.items.length, 1)
  for (const limit of ['0', '-1', '1.5', 'x', '1e2', ' 5', '00']) {
    const answer = await get(withQuery(runs, { limit }))
    t.match(answer, { status: 400, json: { code: 'invalid', details: { field: 'limit' } } }, limit)
  }
  t.match(await get(`${firstRepository}/runs?limit=1&limit=2`), {
    status: 400,
    json: { details: { field: 'limit', reason: 'must be given once' } },
  })
})

const totals: Record<string, number> = {
  ...{ repositories: 30, stacks: 600, modules: 48, 'modules by name': 48 },
  ...{ 'all runs': 6000, 'all runs of a rare status': 60, 'all open runs': 0 },
  'all stacks': 1200,
}

t.test('there is a total wherever counts are kept', async (t) => {
  for (const [name, path] of Object.entries(lists)) {
    const { json } = await get(path)
    t.equal(json.total, totals[name], name)
  }
})

const cursorOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

t.test('a cursor of another list, or an invented one, is 400', async (t) => {
  const cursors = new Map<string, string>()
  for (const [name, path] of Object.entries(lists)) {
    const { next_cursor } = (await get(withQuery(path, { limit: 1 }))).json
    if (next_cursor !== undefined) cursors.set(path.split('?')[0] ?? name, next_cursor)
  }
  t.ok(cursors.size >= 8)
  const [, another] = (await get('/v1/locks?limit=2')).json.items
  const journal = (await get(`/v1/machines/lock/${another.stack_id}/journal?limit=1`)).json.next_cursor
  if (journal !== undefined) cursors.set('journal of another lock', journal)
  cursors.set('runs of another repository', (await get('/v1/repos/org-1/infra-00002/runs?limit=1')).json.next_cursor)
  const madeUp = ['x', cursorOf([]), cursorOf({}), cursorOf(null), cursorOf('runs'), '%', '=', `${'A'.repeat(5000)}`]
  for (const [name, path] of Object.entries(lists)) {
    const own = path.split('?')[0] ?? ''
    for (const [other, cursor] of [...cursors, ...madeUp.map((text) => [text, text] as const)]) {
      const answer = await get(withQuery(path, { cursor: other === own ? `${cursor}!` : cursor }))
      const wanted = { status: 400, json: { code: 'invalid', details: { field: 'cursor' } } }
      t.match(answer, wanted, `${name} with ${other.slice(0, 60)}`)
    }
  }
})

t.test('a place in a list that Postgres cannot read never reaches it', async (t) => {
  const guid = '00000000-0000-4000-8000-000000000000'
  const bad: [path: string, key: unknown[]][] = [
    [lists.runs ?? '', ['runs of 1', '0000-01-01T00:00:00Z', guid]],
    [lists.runs ?? '', ['runs of 1', '2026-02-30T00:00:00Z', guid]],
    [lists.runs ?? '', ['runs of 1', '2026-01-01T00:00:00Z', 'x']],
    [lists.stacks ?? '', ['stacks of 1', 'a\0b']],
    ['/v1/stacks', ['stacks', 'a\0b', 1, 'a']],
    ['/v1/stacks', ['stacks', 'a/b', 1.5, 'a']],
    [lists.repositories ?? '', ['repositories', 'a\0b', 1]],
    [lists.repositories ?? '', ['repositories', 'a', 1.5]],
    [lists.repositories ?? '', ['repositories', 'a', 1e300]],
    ['/v1/audit', ['audit', '2026-01-01T00:00:00Z', 1e20]],
    ['/v1/audit', ['audit', `2026-01-01T00:00:00.${'1'.repeat(200)}Z`, 1]],
    ['/v1/locks', ['2026-01-01T00:00:00Z', guid]],
    ['/v1/locks', ['audit', '2026-01-01T00:00:00Z', guid]],
    ['/v1/locks', ['locks', '2026-01-01T00:00:00Z', 'x']],
    ['/v1/queue', ['queue', 0]],
    ['/v1/queue', ['queue', '1']],
    [lists.journal ?? '', ['journal', 1]],
    [lists.journal ?? '', [`journal of lock ${firstStack}`, -1]],
  ]
  for (const [path, key] of bad) {
    const answer = await get(withQuery(path, { cursor: cursorOf(key) }))
    t.match(answer, { status: 400, json: { details: { field: 'cursor' } } }, JSON.stringify(key))
  }
})

t.test('people page through what they see, in the same order', async (t) => {
  // the account of the first ten repositories
  const cookie = await signIn(service.pool, Buffer.alloc(32, 7), [1])
  const as = async (path: string): Promise<Json> => (await service.send(path, { headers: { cookie } })).json
  const repositories = await as('/v1/repos?limit=4')
  t.match(repositories, { total: 10 })
  const more = await as(`/v1/repos?limit=500&cursor=${repositories.next_cursor}`)
  t.equal(repositories.items.length + more.items.length, 10)
  for (const name of ['runs', 'stacks', 'runs of a stack', 'journal', 'locks of a repository']) {
    const path = lists[name] ?? ''
    t.same((await as(path)).items, (await get(path)).json.items, name)
  }
  const locks = (await as('/v1/locks?limit=500')).items as Json[]
  t.ok(locks.length > 0 && locks.every(({ repo }) => repo.startsWith('org-1/')))
  let cursor: string | undefined
  const seen: Json[] = []
  do {
    const page = await as(withQuery('/v1/audit', { limit: 100, cursor }))
    seen.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  const all = [...(await get('/v1/audit?limit=500')).json.items] as Json[]
  const theirs = all.filter(({ target }) => target.startsWith('org-1/'))
  t.same(seen.slice(0, theirs.length), theirs, 'entries of other accounts are removed from the pages')
  t.ok(seen.length < 1200)
  t.equal((await service.send('/v1/repos/org-2/infra-00011/runs', { headers: { cookie } })).status, 404)
})

t.test('whatever a parameter of a read contains, the answer is in the table of errors and not 500', async (t) => {
  const strange = [
    '\0',
    'org-1/\0',
    '%',
    "'",
    '\\',
    '__proto__',
    '\u202e',
    '\ud83d\ude00',
    '../..',
    '-1',
    '1e999',
    'x'.repeat(1500),
  ]
  const given: Record<string, string> = { owner: 'org-1', repo: 'infra-00001', id: firstStack, key: 'x', kind: 'lock' }
  const { paths }: Json = (await get('/v1/openapi.json')).json
  const reads = Object.entries(paths).filter(
    ([path, methods]) => path.startsWith('/v1/') && 'get' in (methods as object),
  )
  t.ok(reads.length > 15)
  for (const [path, { get: operation }] of reads as [string, Json][]) {
    // a seeded machine has a state but no snapshot to show: ask for a missing one
    const values = path === '/v1/machines/{kind}/{id}' ? { ...given, id: firstStack.replace(/^./, 'f') } : given
    const fill = (name: string, value: string): string =>
      path.replaceAll(/\{(\w+)\}/g, (_, one: string) => encodeURIComponent(one === name ? value : (values[one] ?? 'x')))
    for (const { name, in: place } of operation.parameters ?? []) {
      const addresses = strange.map((value) =>
        place === 'path' ? fill(name, value) : withQuery(fill('', ''), { [name]: value }),
      )
      const answers = await Promise.all([...addresses, `${fill('', '')}?${name}=1&${name}=2`].map(get))
      const odd = answers.filter(({ status, json }) => status !== 200 && !(status < 500 && json.code && json.message))
      t.same(odd, [], `${path}: ${name}`)
    }
  }
})
