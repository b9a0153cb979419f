import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import type { GitHubOptions } from '#codehost/github/client/app.ts'
import { createGitHub } from '#codehost/github/github.ts'
import type { RepoRef } from '#codehost/port.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'

/*
 * A server that misbehaves by script: faults, limits and odd answers that an emulator of a healthy GitHub does not have.
 */

export type Seen = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Body
}
type Body = Record<string, unknown>
type Answer = { status?: number; headers?: Record<string, string>; json?: unknown; text?: string } | Misbehaviour
type Misbehaviour = 'cut the body' | 'drop the connection' | 'never answer'
type Script = (seen: Seen, times: number) => Answer | Promise<Answer>

export const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
})

export const repo = { installation_id: 42, owner: 'octo', name: 'infra' } satisfies RepoRef
export const pull = {
  number: 3,
  title: 'A change',
  state: 'open',
  merged_at: null,
  draft: false,
  user: { login: 'ada' },
  head: { sha: 'h1', ref: 'feature', repo: { id: 9 } },
  base: { sha: 'b1', ref: 'main' },
  mergeable: null,
  mergeable_state: 'unknown',
  changed_files: 2,
}
export const pullPath = 'GET /repos/octo/infra/pulls/3'
export const check: CheckRunWanted = {
  name: 'svc/plan',
  headSha: 'h1',
  externalId: 'run-1',
  detailsUrl: 'https://svc.test/runs/run-1',
  status: 'in_progress',
  title: '0 of 2 stacks done',
  summary: 'going on',
}

type Teardown = { teardown(work: () => unknown): void }

/** Answers `METHOD /path` by its script, 404 without one; `seen` holds every request except those for tokens. */
export const scriptedGitHub = async (
  t: Teardown,
  scripts: Record<string, Script>,
  options: Partial<GitHubOptions> = {},
) => {
  const seen: Seen[] = []
  const tokens: Seen[] = []
  const times = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://github.test')
    const path = decodeURIComponent(url.pathname)
    const asked: Seen = {
      method: request.method ?? '',
      path,
      query: url.searchParams,
      headers: request.headers,
      body: await bodyOf(request),
    }
    const name = `${asked.method} ${path}`
    const script = scripts[name] ?? (path.endsWith('/access_tokens') ? giveToken : path === '/app' ? ownApp : notThere)
    const list = path.endsWith('/access_tokens') || (path === '/app' && !scripts[name]) ? tokens : seen
    list.push(asked)
    times.set(name, (times.get(name) ?? 0) + 1)
    answer(response, await script(asked, times.get(name) ?? 1))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const requests: [route: string, status: string][] = []
  const remaining: number[] = []
  const host = createGitHub({
    appId: 7,
    privateKey,
    apiUrl: `http://127.0.0.1:${port}/`,
    log: pino({ level: 'silent' }),
    paced: false,
    retryBaseMs: 1,
    metrics: {
      request: (route, status) => requests.push([route, status]),
      rateLimitRemaining: (count) => remaining.push(count),
    },
    ...options,
  })
  return { host, seen, tokens, requests, remaining, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Pages of two, linked as GitHub links them: by the ids of things, not their names. */
export const paged =
  (items: unknown[], wrap: (page: unknown[]) => unknown, host = 'http://github.test') =>
  (seen: { query: URLSearchParams }) => {
    const page = Number(seen.query.get('page') ?? 1)
    const more = page * 2 < items.length
    const link = `<${host}/repositories/1/x?per_page=100&page=${page + 1}>; rel="next", <${host}/repositories/1/x?page=9>; rel="last"`
    return { json: wrap(items.slice(page * 2 - 2, page * 2)), headers: more ? { link } : {} }
  }

const bodyOf = async (request: IncomingMessage): Promise<Body> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
}

const ownApp: Script = () => ({ json: { slug: 'svc-test' } })

const giveToken: Script = ({ path }) => ({
  status: 201,
  json: {
    token: `ghs_${path.split('/')[3]}`,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    permissions: {},
  },
})

const notThere: Script = () => ({
  status: 404,
  json: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
})

const answer = (response: ServerResponse, given: Answer): void => {
  if (given === 'never answer') return
  if (given === 'drop the connection') {
    response.socket?.destroy()
    return
  }
  if (given === 'cut the body') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"total_count": 1, "check_runs": [', () => response.socket?.destroy())
    return
  }
  const type = given.text === undefined ? 'application/json; charset=utf-8' : 'text/html'
  response.writeHead(given.status ?? 200, { 'content-type': type, ...given.headers })
  response.end(given.text ?? JSON.stringify(given.json))
}
