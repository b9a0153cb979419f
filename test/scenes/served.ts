import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Client } from 'pg'
import type { Test } from 'tap'
import { createGitHubPages } from '#codehost/github/pages.ts'
import { createOidcVerifier } from '#codehost/oidc.ts'
import type { CodeHost, PullRequest } from '#codehost/port.ts'
import { rowsInTables } from '#commands/history/rows-of-archived.ts'
import { createResolver } from '#commands/resolving/resolver.ts'
import { createPool } from '#db/pool.ts'
import { createReads } from '#db/replica/reads.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { compileRefGlob } from '#domain/workflow-ref-glob.ts'
import type { ServerDeps } from '#http/app.ts'
import { buildServer } from '#http/server.ts'
import { createLog } from '#log.ts'
import { createMetrics } from '#metrics.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { testDatabase } from '#test/helpers/database.ts'

const issuer = 'https://token.example.com'
const baseUrl = 'https://svc.example.com'
export const webhookSecret = 'hush'
export const headSha = 'a'.repeat(40)
export const now = new Date('2026-03-01T12:00:00Z')

export type Claims = Record<string, unknown>

/** Claims of the resolve job of pull request 12 of acme/infra. */
const claims: Claims = {
  sub: 'repo:acme@1/infra@7:pull_request',
  repository_id: '7',
  repository: 'acme/infra',
  event_name: 'pull_request',
  ref: 'refs/pull/12/merge',
  sha: 'f'.repeat(40),
  run_id: '1001',
  run_attempt: '1',
  workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/pull/12/merge',
  job_workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/pull/12/merge',
}

export const openPull = (changes: Partial<PullRequest> = {}): PullRequest => ({
  number: 12,
  title: 'A change',
  state: 'open',
  mergedAt: null,
  mergeCommitSha: null,
  draft: false,
  headSha,
  headRef: 'change',
  headRepoId: 7,
  baseSha: 'b'.repeat(40),
  baseRef: 'main',
  author: 'ada',
  mergeable: true,
  mergeableState: 'clean',
  changedFiles: 1,
  ...changes,
})

/** A code host of one repository without configuration; `pulls` is what it shows. */
const codeHostOf = (pulls: Map<number, PullRequest>): CodeHost => ({
  causedBy: () => codeHostOf(pulls),
  pathsThatExist: async (_repo, _ref, paths) => new Set(paths),
  getPullRequest: async (_repo, number) => pulls.get(number),
  listPullRequestPaths: async () => [],
  listOpenPullRequests: async () => [...pulls.values()].filter(({ state }) => state === 'open'),
  pusherOf: async () => undefined,
  listReviews: async () => [],
  permissionOf: async () => 'none',
  isTeamMember: async () => undefined,
  isOrganizationMember: async () => false,
  readFile: async () => undefined,
  hasCommit: async () => true,
  treeOf: async () => undefined,
  branchHead: async () => undefined,
  listTags: async () => [],
  dateOfTag: async () => undefined,
  listReleases: async () => [],
  listCheckRuns: async () => [],
  throwIfNoRoomForStacks: async () => {},
  createCheckRun: async () => 1,
  updateCheckRun: async () => true,
  findComment: async () => undefined,
  createComment: async () => 1,
  updateComment: async () => true,
  findIssue: async () => undefined,
  createIssue: async () => ({ number: 1, url: 'https://codehost.example/1' }),
  updateIssue: async () => undefined,
  addReaction: async () => true,
  dispatchWorkflow: async () => undefined,
  listWorkflowRuns: async () => [],
  getWorkflowRun: async () => undefined,
  listFailedDeliveries: async () => [],
  redeliver: async () => true,
  listInstallations: async () => [],
  listRepositories: async () => [],
})

const serveKeys = async (t: Test) => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }]
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  t.teardown(() => server.listening && close())
  return { privateKey, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks` }
}

// biome-ignore lint/suspicious/noExplicitAny: what a test digs into is what it checks
export type Json = any

export type Answer = { status: number; headers: Headers; text: string; json: Json }

export type Served = Awaited<ReturnType<typeof serve>>

type Options = {
  requiredWorkflowRef?: string
  /** Address of a database, instead of a clone that is dropped. */
  databaseUrl?: string
  setupMode?: boolean
  setup?: Partial<ServerDeps['setup']>
} & Partial<Pick<ServerDeps, 'metricsToken' | 'drainMs' | 'baseUrl' | 'ui' | 'trustProxy'>>

/** The service's HTTP side on a free port, over a database with acme/infra (7), and an issuer of tokens. */
export const serve = async (t: Test, options: Options = {}) => {
  const databaseUrl = options.databaseUrl ?? (await testDatabase(t)).url
  const issued = await serveKeys(t)
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json' }, { write: (line) => lines.push(line) })
  const clock = { at: now, now: () => clock.at }
  const pool = await createPool(databaseUrl, { log, seam: watchLockOrder(t) })
  t.teardown(() => pool.end())
  const pulls = new Map([[12, openPull()]])
  const runtime = createRuntime({ pool, clock })
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const codehost = codeHostOf(pulls)
  const metrics = createMetrics({ version: '1.2.3', commit: 'abc' })
  const pause = async (): Promise<void> => {}
  const pages = createGitHubPages('https://codehost.example')
  const commands = {
    pool,
    runtime,
    codehost,
    pages,
    clock,
    pause,
    log,
    metrics,
    baseUrl,
    resolver,
    reads: createReads(pool, undefined, () => false),
    rowsOf: rowsInTables(pool),
    findRepository: createRepositoryLookUp(pool),
  }
  const glob = options.requiredWorkflowRef === undefined ? undefined : compileRefGlob(options.requiredWorkflowRef)
  const verifyToken = createOidcVerifier({
    issuer,
    jwksUrl: issued.url,
    audience: baseUrl,
    requiredWorkflowRef: glob?.ok ? glob : undefined,
    clock,
  })
  const app = buildServer({
    build: { version: '1.2.3', commit: 'abc' },
    baseUrl: options.baseUrl ?? baseUrl,
    pool,
    log,
    clock,
    metrics,
    metricsToken: options.metricsToken,
    trustProxy: options.trustProxy,
    sessionKey: Buffer.alloc(32, 7),
    setup: {
      apiUrl: 'https://api.github.com',
      webUrl: 'https://github.com',
      allowResetup: false,
      convert: async () => undefined,
      ...options.setup,
    },
    service: options.setupMode ? undefined : { commands, verifyToken, webhookSecret, signIn: undefined },
    ui: options.ui,
    ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  /** A fresh token: a job asks for one before every request. */
  const token = (changes: Claims = {}): Promise<string> => {
    const seconds = Math.floor(clock.at.getTime() / 1000)
    const times = { iat: seconds, nbf: seconds - 600, exp: seconds + 300 }
    return new SignJWT({ iss: issuer, aud: baseUrl, jti: randomUUID(), ...times, ...claims, ...changes })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(issued.privateKey)
  }
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${address}${path}`, { redirect: 'manual', ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
  }
  /** A request of a job with a fresh token (or with the given credential). */
  const call = async (method: string, path: string, body?: unknown, credential?: string): Promise<Answer> =>
    send(path, {
      method,
      headers: {
        authorization: `Bearer ${credential ?? (await token())}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return { address, app, call, clock, close: issued.close, databaseUrl, lines, metrics, pool, pulls, send, token }
}

/** Runs statements in the database of a test. */
export const query = async (url: string, ...statements: [text: string, values?: unknown[]][]): Promise<Json[]> => {
  const client = new Client(url)
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const [text, values] of statements) rows = (await client.query(text, values)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** The installation of acme with its repository infra, as the sync of installations would record them. */
export const addRepository = (url: string): Promise<unknown> =>
  query(
    url,
    [`insert into installations (id, account_id, account_login, account_type) values (5, 1, 'acme', 'Organization')`],
    [
      `insert into repositories (id, installation_id, owner, name, default_branch) values (7, 5, 'acme', 'infra', 'main')`,
    ],
  )

/** Adds an API key and returns it. */
export const addKey = async (url: string, name: string): Promise<string> => {
  const key = `sk_${randomUUID()}`
  const hash = createHash('sha256').update(key).digest('hex')
  await query(url, [
    'insert into api_keys (name, key_hash, prefix, created_by) values ($1, $2, $3, $4)',
    [name, hash, key.slice(0, 10), 'test'],
  ])
  return key
}
