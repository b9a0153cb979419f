import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { until } from '#test/helpers/until.ts'
import { heldBytes } from '#test/http/bodies/held-bytes.ts'
import { type BegunRequest, beginRequest, sendPart } from '#test/scenes/begun-request.ts'
import { addRepository, query, serve } from '#test/scenes/served.ts'

const service = await serve(t)
await addRepository(service.databaseUrl)
await query(service.databaseUrl, [
  `insert into repositories (id, installation_id, owner, name, default_branch) values (8, 5, 'acme', 'other', 'main')`,
])
const path = `/v1/runs/${randomUUID()}/stacks/a/result`
const size = 1_000_000
const allButOneByte = Buffer.alloc(size - 1, ' ')
allButOneByte.write('{"mode":"plan","status":"success"')

/** A result of acme/infra that comes but for its last byte. */
const nearlyAll = async (t: Test): Promise<BegunRequest> => {
  const headers = { 'content-length': String(size), authorization: `Bearer ${await service.token()}` }
  const begun = beginRequest(t, service.address, path, headers)
  await sendPart(begun, allButOneByte)
  return begun
}

const byOther = async () =>
  service.call(
    'POST',
    path,
    { mode: 'plan', status: 'success' },
    await service.token({ repository_id: '8', repository: 'acme/other' }),
  )

t.test('bodies of 1 MB fill the room for all, and the newest of who sends most give way, not others', async (t) => {
  const before = heldBytes()
  const results: BegunRequest[] = []
  while (results.length < 60) results.push(await nearlyAll(t))
  const refused = () => results.filter(({ received }) => received() !== '')
  await until(() => refused().length >= 44)
  for (const { received } of refused()) t.match(received(), /^HTTP\/1.1 503 .*retry-after: 5.*"code":"unavailable"/is)
  t.equal((await byOther()).status, 404, 'another repository is asked for its run')
  // of 60 MB that were sent; V8 counts buffers out some moments after their collection
  await until(() => heldBytes() - before < 40e6)
  for (const { socket } of results) socket.write('}')
  await until(() => refused().length === 60)
  const answers = results.map(({ received }) => received().slice(9, 12))
  t.equal(answers.filter((status) => status === '404').length, 16)
})

t.test('what answered requests and clients that left held is free again', async (t) => {
  const before = heldBytes()
  const left: BegunRequest[] = []
  while (left.length < 15) left.push(await nearlyAll(t))
  for (const { socket } of left) socket.destroy()
  await until(() => heldBytes() - before < 2e6)
  const results: BegunRequest[] = []
  while (results.length < 15) results.push(await nearlyAll(t))
  for (const { socket } of results) socket.write('}')
  await until(() => results.every(({ received }) => received() !== ''))
  for (const { received } of results) t.match(received(), /^HTTP\/1.1 404 /)
})

t.test('who sends all of a body that is refused sees why, and goes on with the same connection', async (t) => {
  const held: BegunRequest[] = []
  while (held.length < 16) held.push(await nearlyAll(t))
  const refused = await nearlyAll(t)
  // the service may not have read all that was sent before it
  await until(() => refused.received() !== '')
  refused.socket.write('}GET /healthz HTTP/1.1\r\nhost: svc\r\n\r\n')
  await until(() => refused.received().includes('HTTP/1.1 200'))
  t.match(refused.received(), /^HTTP\/1.1 503 .*retry-after: 5.*HTTP\/1.1 200/is)
})
