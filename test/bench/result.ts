import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { systemClock } from '#clock.ts'
import { createGitHubPages } from '#codehost/github/pages.ts'
import { createOidcVerifier } from '#codehost/oidc.ts'
import { createResolver } from '#commands/uploads/resolver.ts'
import { createPool } from '#db/pool.ts'
import { createReads } from '#db/replica/reads.ts'
import type { Pool } from '#db/sql.ts'
import { buildServer } from '#http/server.ts'
import { createLog } from '#log.ts'
import { createMetrics } from '#metrics.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { analyse, seedRepository, seedRun } from '#test/helpers/seed.ts'
import type { Bench, Measurement } from './harness/measure.ts'
import { benchDatabase } from './machine/database.ts'
import { openFloor } from './machine/floor.ts'
import { planText, resultBody } from './machine/result.ts'
import { audience, type Issuer, issuerName, startIssuer } from './result/issuer.ts'
import { post, type Request } from './result/load.ts'

/*
 * One event is a POST of a result over HTTP by one of so many connections. Ours verifies the job's single-use token, checks the
 * body, goes through the runtime and answers with the stack's row; the floor is a bare fastify route without any of that,
 * which writes the same rows by hand in one transaction.
 */

const most = 32
const body = JSON.stringify({ ...resultBody, plan_text: planText })

type Side = { address: string; url: string; pool: Pool; runtime: Runtime; issuer: Issuer }
let ours: Side
let bareAddress: string
const closers: (() => Promise<unknown> | unknown)[] = []

const listen = async (app: FastifyInstance): Promise<string> => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.unshift(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const setup = async (): Promise<void> => {
  const database = await benchDatabase('result')
  closers.unshift(() => database.stop())
  const log = createLog({ level: 'error', format: 'text' })
  const pool = await createPool(database.url, { log })
  closers.unshift(() => pool.end())
  await seedRepository(pool)
  const issuer = await startIssuer()
  closers.unshift(() => issuer.close())
  const metrics = createMetrics({ version: '0', commit: '0' })
  const runtime = createRuntime({ pool, clock: systemClock, onSettled: metrics.settled })
  const commands = {
    pool,
    runtime,
    clock: systemClock,
    pause: async () => {},
    log,
    metrics,
    baseUrl: audience,
    codehost: {} as never,
    resolver: createResolver(),
    reads: createReads(pool, undefined, () => false),
    pages: createGitHubPages('https://codehost.example'),
  }
  const verifyToken = createOidcVerifier({
    issuer: issuerName,
    jwksUrl: issuer.jwksUrl,
    audience,
    requiredWorkflowRef: undefined,
    clock: systemClock,
  })
  const service = { commands, verifyToken, webhookSecret: 'hush', signIn: undefined }
  const build = { version: '0', commit: '0' }
  const app = buildServer({
    build,
    baseUrl: audience,
    pool,
    log,
    clock: systemClock,
    metrics,
    metricsToken: undefined,
    sessionKey: Buffer.alloc(32),
    setup: { apiUrl: '', webUrl: '', allowResetup: false, convert: () => Promise.reject(new Error('not here')) },
    service,
  })
  ours = { address: await listen(app), url: database.url, pool, runtime, issuer }
  bareAddress = await listen(await bareServer(database.url))
}

const bareServer = async (url: string): Promise<FastifyInstance> => {
  const floor = await openFloor(url, most)
  closers.unshift(() => floor.end())
  const free = Array.from({ length: most }, (_, index) => index)
  const app = Fastify()
  app.post<{ Params: { run: string; key: string } }>('/runs/:run/stacks/:key/result', async ({ params }) => {
    const client = free.pop() ?? 0
    await floor.report(client, params.run, params.key)
    free.push(client)
    return { key: params.key, status: 'planned' }
  })
  return app
}

/** A run of so many stacks, and the body to post for each. */
const requests = async (
  count: number,
  prefix: string,
  token: () => Promise<string | undefined>,
): Promise<Request[]> => {
  const keys = Array.from({ length: count }, (_, index) => `stacks/service-${index}`)
  const { runId } = await seedRun(ours.pool, ours.runtime, { waves: [keys] })
  await analyse(ours.url)
  const made: Request[] = []
  for (const key of keys) {
    const path = `${prefix}/runs/${runId}/stacks/${encodeURIComponent(key)}/result`
    made.push({ path, token: await token(), body })
  }
  return made
}

const cost = async (address: string, connections: number, all: Request[]): Promise<number> =>
  (await post(address, connections, all)) / all.length

const over = (connections: number, ofOurs: number, ofBare: number): Measurement => ({
  ours: 'service',
  setup,
  contenders: {
    service: async () => cost(ours.address, connections, await requests(ofOurs, '/v1', () => ours.issuer.mint())),
    'bare fastify and pg': async () =>
      cost(bareAddress, connections, await requests(ofBare, '', async () => undefined)),
  },
  teardown: async () => {
    for (const close of closers.splice(0)) await close()
  },
})

const bench: Bench = {
  name: 'result',
  unit: 'µs/result',
  groups: { '1 connection': over(1, 600, 600), '32 connections': over(most, 3000, 1500) },
}

export default bench
