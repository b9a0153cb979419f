import { randomUUID } from 'node:crypto'
import t from 'tap'
import { findEdgesText, findReferenceText, putGraph } from '#db/repositories/graphs.ts'
import { transact } from '#db/transact.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository } from '#test/helpers/seed.ts'

const { pool, client } = await openDatabase(t)
await seedRepository(pool)

const put = (tree_hash: string): Promise<string> => {
  const empty = Buffer.from('[]')
  const texts = { body: Buffer.from(`"graph ${tree_hash}"`), outline: Buffer.from(`"outline ${tree_hash}"`) }
  const graph = {
    id: randomUUID(),
    repo_id: 1,
    sha: 'a'.repeat(40),
    tree_hash,
    listing: empty,
    compact: empty,
    ...texts,
  }
  return transact(pool, (tx) => putGraph(tx, graph))
}

t.test('a repository without graphs has none to refer to', async (t) => {
  t.equal(await findReferenceText(pool, 1, 'outline'), undefined)
})

t.test('the graph of the default branch is referred to, before there is one the newest', async (t) => {
  const [first] = [await put('1'), await put('2')]
  t.same(await findReferenceText(pool, 1, 'graph'), { text: '"graph 2"', isOutline: false })
  t.same(await findReferenceText(pool, 1, 'outline'), { text: '"outline 2"', isOutline: true })
  await client.query('update repositories set default_graph_id = $1 where id = 1', [first])
  t.same(await findReferenceText(pool, 1, 'outline'), { text: '"outline 1"', isOutline: true })
})

t.test('where it has no outline, the graph itself is read', async (t) => {
  await client.query('update graphs set outline = null')
  t.same(await findReferenceText(pool, 1, 'outline'), { text: '"graph 1"', isOutline: false })
})

t.test('edges are read from the compact form, where there is none from the graph', async (t) => {
  const id = await put('3')
  t.same(await findEdgesText(pool, 1, id), { text: '[]', isCompact: true })
  await client.query('update graphs set compact = null')
  t.same(await findEdgesText(pool, 1, id), { text: '"graph 3"', isCompact: false })
  t.equal(await findEdgesText(pool, 2, id), undefined)
})
