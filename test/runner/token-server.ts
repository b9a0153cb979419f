import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

// biome-ignore lint/suspicious/noExplicitAny: what a test digs into is what it checks
export type Json = any

export type Asked = { method: string; path: string; authorization: string | undefined; body: Json }

/** An HTTP server of this test that records what it is asked. */
export const serverFor = async (
  t: Test,
  answer: (asked: Asked, response: ServerResponse) => void | Promise<void>,
): Promise<{ url: string; asked: Asked[] }> => {
  const asked: Asked[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    const one = {
      method,
      path: url,
      authorization: headers.authorization,
      body: body === '' ? undefined : JSON.parse(body),
    }
    asked.push(one)
    await answer(one, response)
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1' })
    .end(JSON.stringify(body))
}

/** The endpoint where a job asks for its OIDC tokens, which `mint` makes; `audiences` lists the audiences asked for. */
export const tokenServer = async (t: Test, mint: (audience: string) => Promise<string> | string) => {
  const audiences: string[] = []
  const { url } = await serverFor(t, async ({ path, authorization }, response) => {
    if (authorization !== 'bearer request-token') return json(response, 401, { message: 'no' })
    const audience = new URL(path, 'http://host').searchParams.get('audience') ?? ''
    audiences.push(audience)
    json(response, 200, { value: await mint(audience) })
  })
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
  }
  return { env, audiences }
}
