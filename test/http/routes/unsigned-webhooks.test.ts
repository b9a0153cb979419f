import { createHmac, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { until } from '#test/helpers/until.ts'
import { heldBytes } from '#test/http/bodies/held-bytes.ts'
import { type BegunRequest, beginRequest } from '#test/scenes/begun-request.ts'
import { serve, webhookSecret } from '#test/scenes/served.ts'

const service = await serve(t)

/** A delivery of 24 MB of which only the head is sent. */
const begun = (t: Test, signature: string | undefined): BegunRequest =>
  beginRequest(t, service.address, '/webhooks/codehost', {
    ...{ 'content-type': 'application/json', 'content-length': String(size) },
    ...(signature !== undefined && { 'x-hub-signature-256': signature }),
  })

const size = 24 * 1024 * 1024
const guessed = `sha256=${'0'.repeat(64)}`

const deliver = () => {
  const body = '{"action":"opened"}'
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'ping',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`,
  }
  return service.send('/webhooks/codehost', { method: 'POST', body, headers })
}

t.test('without a header that could be a signature, a delivery is refused before its body is read', async (t) => {
  for (const signature of [undefined, '', 'sha256=', guessed.slice(0, -1), `sha1=${'0'.repeat(40)}`]) {
    const { received } = begun(t, signature)
    await until(() => received() !== '')
    t.match(received(), /^HTTP\/1.1 401 /, String(signature))
  }
})

t.test('bodies that nobody vouches for are held up to a budget, and never keep a delivery out', async (t) => {
  const allButOneByte = Buffer.alloc(size - 1, ' ')
  const before = heldBytes()
  const senders = Array.from({ length: 8 }, () => begun(t, guessed))
  for (const { socket } of senders) socket.write(allButOneByte)
  const refused = () => senders.filter(({ received }) => received() !== '')
  await until(() => refused().length >= 7)
  t.equal((await deliver()).status, 202)
  for (const { received } of refused()) {
    t.match(received(), /^HTTP\/1.1 503 /)
    t.match(received(), /retry-after: 5/i)
    t.match(received(), /"code":"unavailable"/)
  }
  // of 192 MB that were sent; V8 counts buffers out some moments after their collection
  await until(() => heldBytes() - before < 40e6)
})
