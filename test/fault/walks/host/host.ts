import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createJobTokens, type JobTokens } from './job-tokens.ts'
import { fullNameOf, type HostFault, type HostRepository } from './records.ts'
import { type Answered, answerOf } from './routes.ts'

/** A code host that is fast: one process's memory over real HTTP, without git. */
export type Host = {
  url: string
  tokens: JobTokens
  webhookSecret: string
  /** What the service's environment says of it. */
  env: Record<string, string>
  close(): Promise<void>
}

const webhookSecret = 'walks'

/**
 * Starts a code host with these repositories, each in an installation of its own. The emulator makes a commit of git for each
 * push, 40 ms of work; a walk has some ten pushes and as many reads in that time.
 */
export const startHost = async (repositories: readonly HostRepository[]): Promise<Host> => {
  const tokens = await createJobTokens()
  const byName = new Map(repositories.map((repository) => [fullNameOf(repository), repository]))
  const server = createServer((request, response) => {
    serve({ request, response, byName, tokens }).catch((error: Error) => response.destroy(error))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const env = {
    CODEHOST_APP_ID: '1',
    CODEHOST_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    CODEHOST_WEBHOOK_SECRET: webhookSecret,
    CODEHOST_API_URL: url,
    CODEHOST_WEB_URL: url,
    CODEHOST_OIDC_ISSUER: tokens.issuer,
    CODEHOST_OIDC_JWKS_URL: `${url}/jwks`,
  }
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, tokens, webhookSecret, env, close }
}

type Serving = {
  request: IncomingMessage
  response: ServerResponse
  byName: Map<string, HostRepository>
  tokens: JobTokens
}

const serve = async ({ request, response, byName, tokens }: Serving): Promise<void> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://host')
  const method = request.method ?? 'GET'
  const [, owner, name, path] = /^\/repos\/([^/]+)\/([^/]+)\/?(.*)$/.exec(pathname) ?? []
  const repository = byName.get(`${owner}/${name}`)
  if (!repository) return reply(response, ofApp({ method, path: pathname, byName, request, tokens, query }))
  const body = text === '' ? undefined : JSON.parse(text)
  const struck = repository.over.has(body?.inputs?.run_id) ? undefined : strike(repository, method, path ?? '')
  if (struck && typeof struck.effect === 'object') {
    const { status, message } = struck.effect
    return reply(response, { status, json: { message } })
  }
  const answer = answerOf(method, path ?? '', { repository, query, body })
  const [newest] = [...repository.workflowRuns.values()].slice(-1)
  if (struck?.effect === 'unlisted' && newest) newest.isUnlisted = true
  if (struck) return void response.destroy()
  reply(response, answer)
}

/** A fault strikes once. */
const strike = (repository: HostRepository, method: string, path: string): HostFault | undefined => {
  const index = repository.faults.findIndex((fault) => fault.method === method && fault.path.test(path))
  return index < 0 ? undefined : repository.faults.splice(index, 1)[0]
}

const reply = (response: ServerResponse, { status = 200, json, text }: Answered): void => {
  response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/plain; charset=utf-8' })
  response.end(text ?? JSON.stringify(json))
}

type AppAsked = Pick<Serving, 'byName' | 'tokens' | 'request'> & {
  method: string
  path: string
  query: URLSearchParams
}

const tokenOf = (installationId: number): string => `installation-${installationId}`

/** What is asked of the app itself, and of the issuer of tokens. */
const ofApp = ({ path, byName, tokens, request, query }: AppAsked): Answered => {
  const all = [...byName.values()]
  const [, installation] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? []
  if (installation !== undefined) {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const token = tokenOf(Number(installation))
    return { status: 201, json: { token, expires_at, permissions: {}, repository_selection: 'all' } }
  }
  if (path === '/jwks') return { json: tokens.keys }
  if (path === '/app') return { json: { slug: 'svc' } }
  if (path === '/app/hook/deliveries') return { json: [] }
  if (path === '/app/installations') {
    const listed = all.map(({ installationId: id, owner: login }) => ({
      id,
      account: { id: id + 100_000, login, type: 'Organization' },
    }))
    return { json: query.get('page') === null ? listed : [] }
  }
  if (path === '/installation/repositories') {
    const own = all.filter(({ installationId }) => request.headers.authorization?.endsWith(tokenOf(installationId)))
    const repositories = own.map(({ id, name, owner: login }) => ({
      ...{ id, name, owner: { login }, default_branch: 'main' },
    }))
    return { json: { repositories } }
  }
  return { status: 404, json: { message: 'Not Found' } }
}
