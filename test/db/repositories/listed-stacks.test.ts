import { randomUUID } from 'node:crypto'
import t from 'tap'
import { putGraph } from '#db/repositories/graphs.ts'
import { listStacks } from '#db/repositories/listed-stacks.ts'
import { ensureStacks } from '#db/repositories/stacks.ts'
import { sql } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository } from '#test/helpers/seed.ts'

const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const rows = async (text: string) => (await client.query(text)).rows

type Listed = { key: string; dependencies?: string[]; upstreams?: object[] }

const listingOf = (stacks: Listed[]): string =>
  JSON.stringify(stacks.map((stack) => ({ node: { path: stack.key }, dependencies: [], dependents: [], ...stack })))

/** An upload of these stacks, as far as lists show it; no statement of it may take longer than `mostMs`. */
const list = (stacks: Listed[], mostMs = 20_000): Promise<void> =>
  transact(pool, async (tx) => {
    await tx.query(sql.unsafe`select set_config('statement_timeout', ${String(mostMs)}, true)`)
    await ensureStacks(
      tx,
      1,
      stacks.map(({ key }) => key),
    )
    const texts = { tree_hash: randomUUID(), body: '{}', listing: listingOf(stacks), compact: '{}' }
    await putGraph(tx, { id: randomUUID(), repo_id: 1, sha: 'a'.repeat(40), ...texts })
    await listStacks(tx, 1)
  })

const shown = () => rows('select key, listed, node, dependencies, dependents from stacks order by key')

t.test('stacks are listed as the newest graph has them, and those that it lacks are not', async (t) => {
  await list([{ key: 'app', dependencies: ['net'] }, { key: 'net' }])
  await list([{ key: 'dns' }, { key: 'net', dependencies: ['dns'] }])
  const of = (key: string, listed: boolean, dependencies: string[] = []) => ({
    ...{ key, listed, node: { path: key }, dependencies, dependents: [] },
  })
  t.same(await shown(), [of('app', false), of('dns', true), of('net', true, ['dns'])])
  t.match(await rows('select stack_count from repositories'), [{ stack_count: 2 }])
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
