import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Prober } from './prober.ts'

export type Balancer = { url: string; close(): Promise<void> }

/**
 * One address for all instances, like a load balancer: requests go to the ready ones in turn; an instance that refuses the
 * connection is skipped. A request in progress when its instance died is not sent again, as it may have been carried out:
 * its sender decides.
 */
export const startBalancer = async (probers: readonly Prober[]): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const inTurn = (): string[] => {
    turn += 1
    const ready = probers.filter((prober) => prober.isReady())
    return ready.map((_, index) => ready[(index + turn) % ready.length]?.instance.url ?? '')
  }
  const server = createServer(async (asked, answer) => {
    const body = await buffer(asked).catch(() => undefined)
    if (body === undefined) return
    for (const url of inTurn()) {
      const outcome = await forward(agent, url, asked, body, answer)
      if (outcome === 'answered') return
      if (outcome === 'lost') return refuse(answer, 502, 'the instance died')
    }
    refuse(answer, 503, 'no instance is ready')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}

const refuse = (answer: ServerResponse, status: number, message: string): void => {
  if (answer.headersSent) return void answer.destroy()
  answer.writeHead(status, { 'content-type': 'application/json' })
  answer.end(JSON.stringify({ code: 'unavailable', message }))
}

type Outcome = 'answered' | 'refused' | 'lost'

const forward = (
  agent: Agent,
  url: string,
  { method = 'GET', url: path = '/', headers }: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const out = request(new URL(path, url), { agent, method, headers: endToEnd(headers) }, (response) => {
      answer.writeHead(response.statusCode ?? 502, endToEnd(response.headers))
      response.pipe(answer)
      response.on('error', () => resolve('lost'))
      response.on('end', () => resolve('answered'))
    })
    out.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'lost'))
    out.end(body)
  })

/** Without the headers of one connection only. */
const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = headers
  return kept
}
