import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { systemClock } from '#clock.ts'
import { addApiKey } from '#db/people/api-keys.ts'
import { createPool } from '#db/pool.ts'
import { type Pool, sql } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { seedRepository } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'
import { benchDatabase } from '../machine/database.ts'
import { type Heard, startForgetfulCodeHost } from '../memory/code-host.ts'
import { type ServiceProcess, startServiceProcess } from '../memory/service-process.ts'
import { audience, type Issuer, issuerName, startIssuer } from '../result/issuer.ts'

/** One database with what serves it, and how to seed it from here. */
export type Side = {
  url: string
  pool: Pool
  runtime: Runtime
  /** The first process. */
  address: string
  /** Of each process. */
  program: string
  env: NodeJS.ProcessEnv
  processes: ServiceProcess[]
}

/** The service as it is started in production, workers at work, and a process of bare routes, each over a database of its own. */
export type Place = {
  service: Side
  floor: Side
  issuer: Issuer
  /** Headers of automation, which may read everything. */
  asKey: Record<string, string>
  /** Until the service has done what is due, or so many milliseconds: what the code host's pace puts off goes on for minutes. */
  idle(mostMs?: number): Promise<void>
  stop(): Promise<void>
}

export const webhookSecret = 'hush'

const root = join(import.meta.dirname, '../../..')
const log = createLog({ level: 'error', format: 'text' })

type Options = { instances?: number; preload?: string; heard?: Heard }

/** Starts both, with one repository known to each. */
export const openPlace = async (name: string, { instances = 1, preload, heard }: Options = {}): Promise<Place> => {
  const closers: (() => Promise<unknown> | unknown)[] = []
  const codeHost = await startForgetfulCodeHost(heard)
  closers.unshift(() => codeHost.close())
  const issuer = await startIssuer()
  closers.unshift(() => issuer.close())
  const appKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const env = {
    ...{ SVC_BASE_URL: audience, SVC_LISTEN: '127.0.0.1:0', SVC_LOG_LEVEL: 'info' },
    ...{ CODEHOST_APP_ID: '1', CODEHOST_WEBHOOK_SECRET: webhookSecret },
    CODEHOST_APP_PRIVATE_KEY: appKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    ...{ CODEHOST_API_URL: codeHost.url, CODEHOST_WEB_URL: codeHost.url },
    ...{ CODEHOST_OIDC_ISSUER: issuerName, CODEHOST_OIDC_JWKS_URL: issuer.jwksUrl },
  }
  const side = async (database: string, program: string, processes: number): Promise<Side> => {
    const { url, stop } = await benchDatabase(database)
    closers.unshift(stop)
    const started: ServiceProcess[] = []
    const options = { program: join(root, program), env: applicationEnv({ ...env, DATABASE_URL: url }) }
    for (let n = 0; n < processes; n += 1) {
      started.push(await startServiceProcess(preload === undefined ? options : { ...options, preload }))
    }
    closers.unshift(() => Promise.all(started.map((one) => one.stop())))
    const pool = await createPool(url, { log })
    closers.unshift(() => pool.end())
    const runtime = createRuntime({ pool, clock: systemClock })
    return { url, pool, runtime, processes: started, address: started[0]?.address ?? '', ...options }
  }
  const service = await side(name, 'src/main.ts', instances)
  const floor = await side(`${name}_floor`, 'test/bench/floor/floor-server.ts', 1)
  const idle = (mostMs = 3000): Promise<void> => {
    const late = performance.now() + mostMs
    return until(async () => performance.now() > late || !(await isBusy(service.pool)))
  }
  // at its start the service asks for the list of repositories, and would forget ours, which the code host does not know
  await idle()
  for (const { pool } of [service, floor]) await seedRepository(pool)
  const stop = async (): Promise<void> => {
    for (const close of closers) await close()
  }
  return { service, floor, issuer, asKey: await keyOf(service.pool), idle, stop }
}

const isBusy = (pool: Pool): Promise<boolean> =>
  pool.oneFirst(sql.type(z.object({ busy: z.boolean() }))`
    select exists (select from jobs where state = 'running' or (state = 'queued' and run_at <= now())) as busy`)

const keyOf = async (pool: Pool): Promise<Record<string, string>> => {
  const key = `sk_${randomUUID()}`
  const hash = createHash('sha256').update(key).digest('hex')
  await addApiKey(pool, { name: 'bench', key_hash: hash, prefix: key.slice(0, 10), created_by: 'bench' })
  return { authorization: `Bearer ${key}` }
}
