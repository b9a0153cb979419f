import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { until } from '#test/helpers/until.ts'
import { type BegunRequest, beginRequest, sendPart } from '#test/scenes/begun-request.ts'
import { addRepository, query, serve } from '#test/scenes/served.ts'

const service = await serve(t)
await addRepository(service.databaseUrl)
await query(service.databaseUrl, [
  `insert into repositories (id, installation_id, owner, name, default_branch) values (8, 5, 'acme', 'other', 'main')`,
])
const path = `/v1/runs/${randomUUID()}/graph`
const size = 7_900_000

/** An upload of acme/infra that comes but for its last byte. */
const nearlyAll = async (t: Test): Promise<BegunRequest> => {
  const headers = { 'content-length': String(size), authorization: `Bearer ${await service.token()}` }
  const begun = beginRequest(t, service.address, path, headers)
  await sendPart(begun, Buffer.alloc(size - 1, ' '))
  return begun
}

const byOther = async () =>
  service.call('POST', path, { graph: 1 }, await service.token({ repository_id: '8', repository: 'acme/other' }))

const upTo = async (t: Test, count: number) => {
  const uploads: BegunRequest[] = []
  while (uploads.length < count) uploads.push(await nearlyAll(t))
  return uploads
}

t.test('graphs of one repository fill the room for all, and its newest gives way, not those of others', async (t) => {
  const uploads = await upTo(t, 3)
  const refused = () => uploads.filter(({ received }) => received() !== '')
  await until(() => refused().length > 0)
  t.match(refused()[0]?.received(), /^HTTP\/1.1 503 .*retry-after: 5/is)
  t.equal((await byOther()).status, 404, 'another repository is asked for its run')
  t.equal(refused().length, 1)
  for (const { socket } of uploads) socket.write(' ')
  await until(() => refused().length === 3)
  const answers = uploads.map(({ received }) => received().slice(9, 12)).sort()
  t.same(answers, [...Array(2).fill('404'), '503'])
})

t.test('what answered requests and clients that left held is free again', async (t) => {
  for (const { socket } of await upTo(t, 2)) socket.destroy()
  const uploads = await upTo(t, 2)
  for (const { socket } of uploads) socket.write(' ')
  await until(() => uploads.every(({ received }) => received() !== ''))
  for (const { received } of uploads) t.match(received(), /^HTTP\/1.1 404 /)
})
