import { randomUUID } from 'node:crypto'
import t from 'tap'
import { z } from 'zod'
import { putGraph } from '#db/repositories/graphs.ts'
import { addListedStacks, listStacks } from '#db/repositories/listed-stacks.ts'
import { lockRepository } from '#db/repositories/repositories.ts'
import { ensureStacks } from '#db/repositories/stacks.ts'
import { sql, type Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository } from '#test/helpers/seed.ts'

const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const rows = async (text: string) => (await client.query(text)).rows

type Listed = { key: string; dependencies?: string[]; upstreams?: object[] }

const listingOf = (stacks: Listed[]): Uint8Array =>
  Buffer.from(
    JSON.stringify(stacks.map((stack) => ({ node: { path: stack.key }, dependencies: [], dependents: [], ...stack }))),
  )

const empty = Buffer.from('{}')

const graphOf = (tx: Tx, stacks: Listed[]): Promise<string> => {
  const texts = { tree_hash: randomUUID(), body: empty, outline: empty, listing: listingOf(stacks), compact: empty }
  return putGraph(tx, { id: randomUUID(), repo_id: 1, sha: 'a'.repeat(40), ...texts })
}

/** An upload of these stacks, as far as lists show it; no statement of it may take longer than `mostMs`. */
const list = (stacks: Listed[], mostMs = 20_000): Promise<void> =>
  transact(pool, async (tx) => {
    await tx.query(sql.unsafe`select set_config('statement_timeout', ${String(mostMs)}, true)`)
    await ensureStacks(
      tx,
      1,
      stacks.map(({ key }) => key),
    )
    await graphOf(tx, stacks)
    await listStacks(tx, 1)
  })

const Places = sql.type(z.object({ places: z.array(z.string()) }))`
  select array_agg(ctid::text order by key) as places from stacks`

const shown = () => rows('select key, listed, node, dependencies, dependents from stacks order by key')

t.test('the first stacks of a repository are listed as they are added, and counted', async (t) => {
  const stacks = [{ key: 'app', dependencies: ['net'] }, { key: 'net' }]
  await transact(pool, async (tx) => {
    const graphId = await graphOf(tx, stacks)
    await lockRepository(tx, 1)
    const { areAll } = await addListedStacks(tx, { repoId: 1, graphId, keys: stacks.map(({ key }) => key) })
    t.ok(areAll)
    await listStacks(tx, 1, graphId)
  })
  t.match(
    await rows(`select s.key, s.listed, s.dependencies, n.listed as stands from stacks s
      join stack_standings n on n.stack_id = s.id order by s.key`),
    [
      { key: 'app', listed: true, dependencies: ['net'], stands: true },
      { key: 'net', listed: true, stands: true },
    ],
  )
  t.match(await rows('select stack_count from repositories'), [{ stack_count: 2 }])
})

t.test('stacks are listed as the newest graph has them, and those that it lacks are not', async (t) => {
  await list([{ key: 'app', dependencies: ['net'] }, { key: 'net' }])
  await list([{ key: 'dns' }, { key: 'net', dependencies: ['dns'] }])
  const of = (key: string, listed: boolean, dependencies: string[] = []) => ({
    ...{ key, listed, node: { path: key }, dependencies, dependents: [] },
  })
  t.same(await shown(), [of('app', false), of('dns', true), of('net', true, ['dns'])])
  t.match(await rows('select stack_count from repositories'), [{ stack_count: 2 }])
})

t.test('new stacks of a graph are added as it lists them, and listing writes none of them again', async (t) => {
  const stacks = [{ key: 'app' }, { key: 'new', dependencies: ['net'] }, { key: 'net' }]
  const before = await shown()
  await transact(pool, async (tx) => {
    const graphId = await graphOf(tx, stacks)
    await lockRepository(tx, 1)
    const { ids, areAll } = await addListedStacks(tx, { repoId: 1, graphId, keys: stacks.map(({ key }) => key) })
    t.same(
      await rows("select key, id from stacks where key in ('app', 'net') order by key"),
      ['app', 'net'].map((key) => ({ key, id: ids.get(key) })),
      'those that were there keep their ids',
    )
    t.ok(ids.get('new'))
    t.notOk(areAll)
    t.same(await shown(), before, 'until it commits')
    const added = await tx.one(Places)
    await listStacks(tx, 1)
    const listed = await tx.one(Places)
    const [newPlace] = added.places.slice(-1)
    t.equal(listed.places.at(-1), newPlace)
  })
  t.match(
    await rows(`select s.key, s.listed, s.dependencies, n.listed as stands from stacks s
      join stack_standings n on n.stack_id = s.id order by s.key`),
    [
      { key: 'app', listed: true, stands: true },
      { key: 'dns', listed: false, stands: false },
      { key: 'net', listed: true, stands: true },
      { key: 'new', listed: true, dependencies: ['net'], stands: true },
    ],
  )
  t.match(await rows('select stack_count from repositories'), [{ stack_count: 3 }])
})

t.test('stacks that another graph has listed so already are not compared again, but modules are indexed', async (t) => {
  const ofRepository = async () => (await rows('select listed_graph_id, stack_count from repositories'))[0]
  const byHand = async () => rows("select dependents from stacks where key = 'net'")
  const upstreams = [{ key: 'acme/other//dns', repo: 'acme/other', stack: 'dns', type: 'depends_on' }]
  const stacks = [{ key: 'app', dependencies: ['net'], upstreams }, { key: 'net' }]
  await list(stacks)
  const before = await ofRepository()
  await client.query("update stacks set dependents = '{by hand}' where key = 'net'; delete from jobs")
  await list(stacks)
  const after = await ofRepository()
  t.not(after?.listed_graph_id, before?.listed_graph_id)
  t.equal(after?.stack_count, before?.stack_count)
  t.same(await byHand(), [{ dependents: ['by hand'] }])
  t.match(await rows('select upstream_key from external_edges'), [{ upstream_key: 'dns' }])
  t.match(await rows('select kind from jobs'), [{ kind: 'index_modules' }])
  await client.query('update repositories set listed_graph_id = null')
  await list(stacks)
  t.same(await byHand(), [{ dependents: [] }], 'what another version listed is compared')
})

t.test('what was added for a graph that is not listed after all is compared again', async (t) => {
  const stacks = [{ key: 'app' }]
  await list(stacks)
  await transact(pool, async (tx) => {
    await lockRepository(tx, 1)
    const graphId = await graphOf(tx, [...stacks, { key: 'late' }])
    await addListedStacks(tx, { repoId: 1, graphId, keys: ['app', 'late'] })
    await tx.query(sql.unsafe`delete from graphs where id = ${graphId}`)
  })
  t.match(await rows("select listed from stacks where key = 'late'"), [{ listed: true }])
  await list(stacks)
  t.match(await rows("select listed from stacks where key = 'late'"), [{ listed: false }])
})

t.test('it takes as long as there are stacks, though Postgres has counted none of them', async (t) => {
  const count = 20_000
  await client.query('alter table stacks set (autovacuum_enabled = false); analyze stacks')
  const stacks = Array.from({ length: count }, (_, index) => ({
    key: `s/${index}`,
    dependencies: [`s/${index + 1}`],
    upstreams: [{ key: `acme/other//s/${index}`, repo: 'acme/other', stack: `s/${index}`, type: 'depends_on' }],
  }))
  await list(stacks, 3000)
  t.match(await rows('select count(*)::int as n from stacks where listed'), [{ n: count }])
  t.match(await rows('select count(*)::int as n from external_edges'), [{ n: count }])
})
