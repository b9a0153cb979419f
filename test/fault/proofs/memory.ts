import { createHmac, generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import { queueDepths } from '#db/queue/jobs.ts'
import type { Pool } from '#db/sql.ts'
import { buildInto } from '#dev/build.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { createLog } from '#log.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { planText, resultBody } from '#test/bench/machine/result.ts'
import { startForgetfulCodeHost } from '#test/bench/memory/code-host.ts'
import { type Memory, type ServiceProcess, startServiceProcess } from '#test/bench/memory/service-process.ts'
import { audience, type Issuer, issuerName, startIssuer } from '#test/bench/result/issuer.ts'
import { post } from '#test/bench/result/load.ts'
import { deliver } from '#test/bench/webhook/load.ts'
import { pullRequestPayload } from '#test/bench/webhook/payload.ts'
import { analyse, seedRepository, seedRun } from '#test/helpers/seed.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { type Ground, type Proof, wholeNumber } from './proof.ts'

const steps = 12
/** In one run. */
const stacks = 1000
const idleBound = 130e6
/** How far the last third of the looks may exceed the middle third; the first third warms up. */
const growth = 1.05
const webhookSecret = 'hush'

/** An idle service is small, and a service that has done much is as large as after half of it. */
export const memory: Proof = {
  usage: `memory [--results N] [--webhooks N]

Starts the built service in a process of its own, for one repository: ten seconds after its start it must have less than 130 MB
(RSS). Then posts 100,000 results (or N) and 10,000 webhooks in ${steps} steps, with a garbage collection after each: the average
of the last four looks must not be more than 5 % above that of the four before, for heap and RSS alike. About ten minutes.
`,
  options: ['results', 'webhooks'],
  prove: async (ground, options) => {
    const amounts = {
      results: Math.ceil(wholeNumber(options.results, 100_000) / steps),
      webhooks: Math.ceil(wholeNumber(options.webhooks, 10_000) / steps),
    }
    await buildInto(ground.dataDir, 'proof')
    const scene = await setTheScene(ground)
    const isSmall = await idle(scene, await installed(ground))
    return (await flat(scene, amounts)) && isSmall
  },
}

type Scene = { program: string; env: NodeJS.ProcessEnv; issuer: Issuer; databaseUrl: string }

const setTheScene = async ({ databaseUrl, dataDir, later }: Ground): Promise<Scene> => {
  const codeHost = await startForgetfulCodeHost()
  later(async () => codeHost.close())
  const issuer = await startIssuer()
  later(async () => issuer.close())
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const env = {
    ...{ SVC_BASE_URL: audience, SVC_LISTEN: '127.0.0.1:0', SVC_LOG_LEVEL: 'info', DATABASE_URL: databaseUrl },
    ...{ CODEHOST_APP_ID: '1', CODEHOST_WEBHOOK_SECRET: webhookSecret },
    CODEHOST_APP_PRIVATE_KEY: key.export({ type: 'pkcs1', format: 'pem' }).toString(),
    ...{ CODEHOST_API_URL: codeHost.url, CODEHOST_WEB_URL: codeHost.url },
    ...{ CODEHOST_OIDC_ISSUER: issuerName, CODEHOST_OIDC_JWKS_URL: issuer.jwksUrl },
  }
  return { program: join(dataDir, 'bin/svc-server.mjs'), env, issuer, databaseUrl }
}

/**
 * Variables for a service known to a code host with one repository: it asks the code host about that one, and about nothing
 * after.
 */
const installed = async ({ databaseUrl, dataDir, later }: Ground): Promise<NodeJS.ProcessEnv> => {
  const github = await startEmulator({ dataDir: join(dataDir, 'github') })
  later(() => github.close())
  const { fullName } = await github.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { 'svc.yml': 'version: 1\n' },
  })
  github.createInstallation({ account: 'acme', type: 'Organization' }).addRepository(fullName)
  return serviceEnvironment(github, databaseUrl)
}

const idle = async (scene: Scene, codeHost: NodeJS.ProcessEnv): Promise<boolean> => {
  const service = await startServiceProcess({ ...scene, env: { ...scene.env, ...codeHost } })
  await wait(10_000)
  const rss = service.rss()
  await service.stop()
  console.log(`idle: RSS ${inMb(rss)}, of less than ${inMb(idleBound)}`)
  return rss < idleBound
}

type Amounts = { results: number; webhooks: number }

const flat = async (scene: Scene, amounts: Amounts): Promise<boolean> => {
  const service = await startServiceProcess({ ...scene, tellsMemory: true })
  const pool = await createPool(scene.databaseUrl, { log: createLog({ level: 'error', format: 'text' }) })
  const runtime = createRuntime({ pool, clock: systemClock })
  const looks: Memory[] = []
  try {
    // it asks for the list of repositories at its start, and would forget ours, which the code host does not know
    while ((await queueDepths(pool)).length > 0) await wait(50)
    await seedRepository(pool)
    for (let step = 1; step <= steps; step += 1) {
      await load({ ...scene, service, pool, runtime }, amounts)
      const look = await service.afterCollection()
      looks.push(look)
      const done = `${step * amounts.results} results, ${step * amounts.webhooks} webhooks`
      console.log(`${done}: heap ${inMb(look.heapUsed)}, RSS ${inMb(look.rss)}`)
    }
  } finally {
    await pool.end()
    await service.stop()
  }
  return [
    isFlat(
      'heap',
      looks.map((look) => look.heapUsed),
    ),
    isFlat(
      'RSS',
      looks.map((look) => look.rss),
    ),
  ].every(Boolean)
}

type Loading = Scene & { service: ServiceProcess; pool: Pool; runtime: Runtime }

const load = async (scene: Loading, { results, webhooks }: Amounts): Promise<void> => {
  const { service, pool, runtime, issuer, databaseUrl } = scene
  const body = JSON.stringify({ ...resultBody, plan_text: planText })
  for (let left = results; left > 0; left -= stacks) {
    const keys = Array.from({ length: Math.min(stacks, left) }, (_, index) => `stacks/service-${index}`)
    const { runId } = await seedRun(pool, runtime, { waves: [keys] })
    const path = (key: string): string => `/v1/runs/${runId}/stacks/${encodeURIComponent(key)}/result`
    const requests = await Promise.all(keys.map(async (key) => ({ path: path(key), token: await issuer.mint(), body })))
    await post(service.address, 16, requests)
  }
  await analyse(databaseUrl)
  const payload = pullRequestPayload(10_000)
  const signature = `sha256=${createHmac('sha256', webhookSecret).update(payload).digest('hex')}`
  await deliver({ address: service.address, connections: 8, deliveries: webhooks, body: payload, signature })
}

const isFlat = (what: string, values: number[]): boolean => {
  const third = Math.floor(values.length / 3)
  const [middle, last] = [average(values.slice(-2 * third, -third)), average(values.slice(-third))]
  console.log(`${what}: ${inMb(last)} in the last third, ${inMb(middle)} in the one before`)
  return last <= middle * growth
}

const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
