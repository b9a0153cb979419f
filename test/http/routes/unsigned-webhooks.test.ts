import { createHmac, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { until } from '#test/helpers/until.ts'
import { serve, webhookSecret } from '#test/scenes/served.ts'

const service = await serve(t)
const { port } = new URL(service.address)

/** A delivery of 24 MB of which only the head is sent; `received` is what came back. */
const begun = (t: Test, signature: string | undefined): { socket: Socket; received(): string } => {
  const socket = connect(Number(port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  // the service closes what it refused
  socket.on('error', () => {})
  const head = [
    'POST /webhooks/codehost HTTP/1.1',
    'host: x',
    'content-type: application/json',
    `content-length: ${size}`,
  ]
  if (signature !== undefined) head.push(`x-hub-signature-256: ${signature}`)
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return { socket, received: () => received }
}

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
  const before = process.memoryUsage().arrayBuffers
  const senders = Array.from({ length: 8 }, () => begun(t, guessed))
  for (const { socket } of senders) socket.write(allButOneByte)
  const refused = () => senders.filter(({ received }) => received() !== '')
  await until(() => refused().length >= 6)
  t.equal((await deliver()).status, 202)
  for (const { received } of refused()) {
    t.match(received(), /^HTTP\/1.1 503 /)
    t.match(received(), /retry-after: 5/i)
    t.match(received(), /"code":"unavailable"/)
  }
  const held = process.memoryUsage().arrayBuffers - before
  t.ok(held < 100e6, `${Math.round(held / 1e6)} MB are held of 192 MB that were sent`)
})
