import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export type Received = { headers: IncomingHttpHeaders; raw: string; event: string; payload: Record<string, unknown> }

/** A server that takes webhooks and answers 202, or as `answer` says: a status, or undefined to hang up. */
export const receiverFor = async (
  t: Test,
  answer: (received: Received) => number | undefined = () => 202,
): Promise<{ url: string; received: Received[] }> => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    const event = String(request.headers['x-github-event'])
    const one = { headers: request.headers, raw, event, payload: JSON.parse(raw) }
    received.push(one)
    const status = answer(one)
    if (status === undefined) response.destroy()
    else response.writeHead(status).end('taken')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, received }
}
