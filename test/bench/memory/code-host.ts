import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Told of each request when it comes. */
export type Heard = (method: string, path: string) => void

/** Accepts every write and remembers nothing: it must not grow itself, as a code host that remembers would. */
export const startForgetfulCodeHost = async (heard: Heard = () => {}): Promise<{ url: string; close(): void }> => {
  let id = 0
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    heard(request.method ?? '', path)
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const answer = path.endsWith('/access_tokens')
      ? { token: 'secret', expires_at: expires, permissions: {}, repository_selection: 'all' }
      : request.method !== 'GET'
        ? { id: ++id }
        : path.endsWith('/check-runs')
          ? { total_count: 0, check_runs: [] }
          : []
    request.resume().on('end', () => {
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
