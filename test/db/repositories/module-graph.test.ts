import { randomUUID } from 'node:crypto'
import t from 'tap'
import { putGraph } from '#db/repositories/graphs.ts'
import { findModuleGraph } from '#db/repositories/module-graph.ts'
import { transact } from '#db/transact.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository } from '#test/helpers/seed.ts'

const { pool, client } = await openDatabase(t)
await seedRepository(pool)

const count = 2500
const module = (key: string) => ({ kind: 'module', key })
const stack = (key: string) => ({ kind: 'stack', key })

t.test('a repository whose stacks are not listed yet has no modules', async (t) => {
  t.equal(await findModuleGraph(pool, 1), undefined)
  t.equal(await findModuleGraph(pool, 2), undefined, 'nor has one that nobody knows')
})

t.test('of the listed graph comes all that is said of modules, in its order', async (t) => {
  const stacks = Array.from({ length: count }, (_, n) => ({ key: `s/${n}`, path: `s/${n}` }))
  const modules = [{ key: 'acme/infra//net', kind: 'local', path: 'net', source: 'ü"' }]
  const edges = stacks.flatMap(({ key }, n) => [
    { from: stack(key), to: module('acme/infra//net'), type: 'uses_module', meta: { ref: `v${n}`, source: 'x' } },
    { from: stack(key), to: stack('s/0'), type: 'depends_on' },
  ])
  const bare = { from: module('acme/infra//net'), to: module('acme/infra//net'), type: 'uses_module' }
  const outside = { key: 'acme/other//x', path: 'x', external: true }
  const graph = { repo: 'acme/infra', stacks: [...stacks, outside], modules, edges: [...edges, bare] }
  const bytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))
  const texts = { body: bytes(graph), outline: bytes({}), listing: bytes([]), compact: bytes({}) }
  const stored = { id: randomUUID(), repo_id: 1, sha: 'a'.repeat(40), tree_hash: 'tree', ...texts }
  const id = await transact(pool, (tx) => putGraph(tx, stored))
  await client.query('update repositories set listed_graph_id = $1 where id = 1', [id])
  const found = await findModuleGraph(pool, 1)
  t.equal(found?.repo, 'acme/infra')
  const uses = stacks.map(({ key }, n) => ({ from: stack(key), to: module('acme/infra//net'), ref: `v${n}` }))
  t.same(found?.graph.edges, [...uses, { from: bare.from, to: bare.to, ref: null }])
  t.same(found?.graph.modules, modules)
  t.same(found?.graph.stacks, [
    ...stacks.map(({ key }) => ({ key, external: null })),
    { key: 'acme/other//x', external: true },
  ])
})

t.test('a listed graph without stacks or modules is one', async (t) => {
  const empty = Buffer.from(JSON.stringify({ repo: 'acme/infra', stacks: [], modules: [], edges: [] }))
  const texts = { body: empty, outline: empty, listing: Buffer.from('[]'), compact: Buffer.from('{}') }
  const stored = { id: randomUUID(), repo_id: 1, sha: 'b'.repeat(40), tree_hash: 'empty', ...texts }
  const id = await transact(pool, (tx) => putGraph(tx, stored))
  await client.query('update repositories set listed_graph_id = $1 where id = 1', [id])
  t.same(await findModuleGraph(pool, 1), { repo: 'acme/infra', graph: { stacks: [], modules: [], edges: [] } })
})

t.test('the same graph of the same commit is stored once, as it came last', async (t) => {
  const stored = (body: string) => {
    const bytes = Buffer.from(body)
    const texts = { body: bytes, outline: bytes, listing: Buffer.from(`[${body}]`), compact: bytes }
    return { id: randomUUID(), repo_id: 1, sha: 'c'.repeat(40), tree_hash: 'same', ...texts }
  }
  const put = (body: string) => transact(pool, (tx) => putGraph(tx, stored(body)))
  const [first, second] = [await put('{"a":1}'), await put('{"b":"ü"}')]
  t.equal(second, first)
  const { rows } = await client.query('select body, outline, listing, compact from graphs where id = $1', [first])
  t.same(rows, [{ body: '{"b":"ü"}', outline: '{"b":"ü"}', listing: [{ b: 'ü' }], compact: '{"b":"ü"}' }])
})
