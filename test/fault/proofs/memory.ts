import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import { queueDepths } from '#db/queue/jobs.ts'
import { buildInto } from '#dev/build.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { createLog } from '#log.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { send } from '#test/bench/load/load.ts'
import { deliveryRequests, resultRequests } from '#test/bench/load/requests.ts'
import { startForgetfulCodeHost } from '#test/bench/memory/code-host.ts'
import { type Memory, startServiceProcess } from '#test/bench/memory/service-process.ts'
import { audience, type Issuer, issuerName, startIssuer } from '#test/bench/result/issuer.ts'
import { analyse, seedRepository, seedRun } from '#test/helpers/seed.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { type Crowd, crowd, crowdOf } from '../memory/crowd.ts'
import { type Ground, type Proof, wholeNumber } from './proof.ts'

const steps = 12
/** In one run. */
const stacks = 1000
const idleBound = 85e6
/** How far the last third of the looks may exceed the middle third; the first third warms up. */
const growth = 1.05
const webhookSecret = 'hush'

/** What the manifests give it (deploy/kubernetes/deployment.yaml). */
const limit = 512 * 1024 * 1024

/** An idle service is small, one that has done much is as large as after half of it, and a crowd does not make it too large. */
export const memory: Proof = {
  usage: `memory [--results N] [--webhooks N] [--crowd] [--json]

Starts the built service in a process of its own, for one repository: ten seconds after its start it must have less than 85 MB
of its own. Then posts 100,000 results (or N) and 10,000 webhooks in ${steps} steps, with a garbage collection after each: the average
of the last four looks must not be more than 5 % above that of the four before, for heap and RSS alike. Then ${crowdOf.webhooks} unsigned webhooks
of 24 MB and ${crowdOf.results} results of 1 MB come but for their last byte while ${crowdOf.graphs} graphs of 7 MB are uploaded: it must never have
had more than 512 MiB. About ten minutes; --crowd: the crowd alone, a minute.
--json: the last line is a report.
`,
  minutes: 45,
  options: ['results', 'webhooks'],
  flags: ['crowd', 'json'],
  prove: async (ground, options, flags) => {
    const amounts = {
      results: Math.ceil(wholeNumber(options.results, 100_000) / steps),
      webhooks: Math.ceil(wholeNumber(options.webhooks, 10_000) / steps),
    }
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    await buildInto(ground.dataDir, 'proof')
    const scene = await setTheScene(ground)
    const before = flags.has('crowd') ? [] : [await idle(scene, await installed(ground))]
    const figures = await served(scene, async (loading) => {
      const looks = flags.has('crowd') ? [] : await flat(loading, amounts, tell)
      return [...looks, await crowded(loading, tell)]
    })
    const all = [...before, ...figures]
    for (const { what, bytes, atMost } of all) tell(`${what}: ${inMb(bytes)}, of at most ${inMb(atMost)}`)
    const broken = all.filter(({ bytes, atMost }) => bytes > atMost).map(({ what }) => `${what} is too large`)
    if (flags.has('json')) console.log(JSON.stringify({ proof: 'memory', figures: all, broken }))
    return broken.length === 0
  },
}

/** Bytes, and how many there may be. */
type Figure = { what: string; bytes: number; atMost: number }

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

const idle = async (scene: Scene, codeHost: NodeJS.ProcessEnv): Promise<Figure> => {
  const service = await startServiceProcess({ ...scene, env: { ...scene.env, ...codeHost } })
  await wait(10_000)
  const bytes = service.own()
  await service.stop()
  return { what: "memory of an idle service, without Node's program", bytes, atMost: idleBound }
}

type Loading = Scene & Crowd

/** A service that knows one repository, for as long as the work takes. */
const served = async (scene: Scene, work: (loading: Loading) => Promise<Figure[]>): Promise<Figure[]> => {
  const service = await startServiceProcess({ ...scene, tellsMemory: true })
  const pool = await createPool(scene.databaseUrl, { log: createLog({ level: 'error', format: 'text' }) })
  const runtime = createRuntime({ pool, clock: systemClock })
  try {
    // it asks for the list of repositories at its start, and would forget ours, which the code host does not know
    while ((await queueDepths(pool)).length > 0) await wait(50)
    await seedRepository(pool)
    return await work({ ...scene, service, pool, runtime })
  } finally {
    await pool.end()
    await service.stop()
  }
}

const crowded = async (loading: Loading, tell: (line: string) => void): Promise<Figure> => {
  tell(`answers to the crowd: ${JSON.stringify(await crowd(loading))}`)
  return { what: 'the most RSS ever, with a crowd', bytes: loading.service.peak(), atMost: limit }
}

type Amounts = { results: number; webhooks: number }

const flat = async (loading: Loading, amounts: Amounts, tell: (line: string) => void): Promise<Figure[]> => {
  const looks: Memory[] = []
  for (let step = 1; step <= steps; step += 1) {
    await load(loading, amounts)
    const look = await loading.service.afterCollection()
    looks.push(look)
    const done = `${step * amounts.results} results, ${step * amounts.webhooks} webhooks`
    tell(`${done}: heap ${inMb(look.heapUsed)}, RSS ${inMb(look.rss)}`)
  }
  return [growthOf('heap', looks, ({ heapUsed }) => heapUsed), growthOf('RSS', looks, ({ rss }) => rss)]
}

const load = async (loading: Loading, { results, webhooks }: Amounts): Promise<void> => {
  const { service, pool, runtime, issuer, databaseUrl } = loading
  for (let left = results; left > 0; left -= stacks) {
    const keys = Array.from({ length: Math.min(stacks, left) }, (_, index) => `stacks/service-${index}`)
    const run = await seedRun(pool, runtime, { waves: [keys] })
    await send(service.address, 16, await resultRequests(run, issuer.mint))
  }
  await analyse(databaseUrl)
  await send(service.address, 8, deliveryRequests(webhooks, 10_000, webhookSecret))
}

/** The last third of the looks, compared with the middle third; the first third warms up. */
const growthOf = (what: string, looks: readonly Memory[], of: (look: Memory) => number): Figure => {
  const third = Math.floor(looks.length / 3)
  const middle = average(looks.slice(-2 * third, -third).map(of))
  return { what: `${what} in the last third`, bytes: average(looks.slice(-third).map(of)), atMost: middle * growth }
}

const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
