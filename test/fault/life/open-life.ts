import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { removePostgres } from '#dev/leftovers.ts'
import { type Emulator, startEmulator } from '#emulator/emulator.ts'
import { createLog } from '#log.ts'
import { startStandby } from '#test/db/replica/standby.ts'
import { s3Variables, startS3Server } from '#test/helpers/s3-server.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'
import { quietPort } from '../place.ts'
import { startBalancer } from './balancer.ts'
import { fallibleDatabase } from './database.ts'
import { onlooker } from './illnesses.ts'
import { createInstance, type Instance } from './instance.ts'
import type { Life, Replica } from './life.ts'
import type { LifeOptions } from './options.ts'
import { type Prober, startProber } from './prober.ts'

/** A life that has begun, and the readiness answers in it. */
export type OpenLife = { life: Life & { end(): void }; probers: readonly Prober[] }

type Later = (stop: () => Promise<unknown>) => void

/** Starts everything, and tells `later` how each part is stopped; the first part first. */
export const openLife = async (options: LifeOptions, later: Later): Promise<OpenLife> => {
  const { databaseUrl, dataDir, backOffSeconds, tell } = options
  await migrate(databaseUrl)
  // hours of requests in minutes
  const github = await startEmulator({ dataDir, rateLimit: 10_000_000 })
  later(() => github.close())
  const own = Object.assign(new URL(databaseUrl), { search: `?application_name=${onlooker}` })
  const pool = await createPool(own.href, { log: createLog({ level: 'silent', format: 'json' }) })
  later(() => pool.end())
  const repositories = await madeRepositories(github, options.repositories)
  const replica = await madeReplica(options, later)
  const env = {
    ...serviceEnvironment(github, databaseUrl),
    ...(await bucketVariables(later)),
    ...(replica ? { DATABASE_READ_URL: replica.url } : {}),
    SVC_LOG_LEVEL: 'info',
  }
  const instances = await madeInstances(env, options)
  const database = fallibleDatabase(options.postgresDir, databaseUrl)
  const killAll = async (): Promise<void> => {
    if (database.chronicle.now() === 'frozen') database.thaw()
    await Promise.all(instances.map((instance) => instance.end()))
  }
  later(killAll)
  options.later?.(killAll)
  await Promise.all(instances.map((instance) => instance.start()))
  const probers = instances.map(startProber)
  later(() => Promise.all(probers.map((prober) => prober.stop())))
  const balancer = await startBalancer(probers)
  later(() => balancer.close())
  github.setWebhookUrl(`${balancer.url}/webhooks/codehost`)
  const service = { url: balancer.url, stop: async () => {} }
  const settled = (): Promise<void> => github.deliveriesSettled()
  const worlds = repositories.map((repository): World => ({ github, repository, service, pool, env, settled }))
  await until(async () => probers.every((prober) => prober.isReady()) && (await areKnown(worlds)))
  const life = { github, pool, database, instances, worlds, backOffSeconds, tell, ...(replica ? { replica } : {}) }
  return { life: { ...life, ...nothingYet(), ...overable() }, probers }
}

const madeReplica = async (
  { postgresDir, replicaDir, databaseUrl }: LifeOptions,
  later: Later,
): Promise<Replica | undefined> => {
  if (replicaDir === undefined) return undefined
  later(() => removePostgres(replicaDir))
  const standby = await startStandby({ url: databaseUrl, dir: postgresDir }, replicaDir)
  return { ...standby, url: Object.assign(new URL(standby.url), { pathname: new URL(databaseUrl).pathname }).href }
}

/** Of a bucket that plan texts go to, and the months that are over for longer than texts are kept. */
const bucketVariables = async (later: Later): Promise<Record<string, string>> => {
  const identity = { accessKeyId: 'AKIATEST', bucket: 'plans', secret: 'right' }
  const bucket = await startS3Server(identity)
  later(() => bucket.close())
  const credentials = { AWS_ACCESS_KEY_ID: identity.accessKeyId, AWS_SECRET_ACCESS_KEY: identity.secret }
  return { ...s3Variables(bucket, identity.bucket), ...credentials, SVC_HISTORY_RETENTION: '8760h' }
}

/** Before the first synchronisation the service does not know the repository. */
const areKnown = async (worlds: readonly World[]): Promise<boolean> => {
  const [world] = worlds
  return world !== undefined && (await query(world, 'select from repositories')).length === worlds.length
}

const nothingYet = (): Pick<Life, 'behaviours' | 'told' | 'reported' | 'broken'> => ({
  ...{ behaviours: new Map(), told: [], reported: [], broken: [] },
})

const overable = () => {
  let over = false
  return {
    isOver: () => over,
    end: () => {
      over = true
    },
  }
}

const madeInstances = async (
  env: Record<string, string>,
  { dataDir, leaseSeconds, instances = ['A', 'B'] }: LifeOptions,
): Promise<Instance[]> => {
  const logDir = process.env.SVC_LIFE_LOGS ?? join(dataDir, 'logs')
  await mkdir(logDir, { recursive: true })
  return Promise.all(
    instances.map(async (name) => createInstance({ name, port: await quietPort(), env, logDir, leaseSeconds })),
  )
}

const madeRepositories = async (github: Emulator, names: readonly string[]) => {
  const policy = { version: 1, apply: { approvals: 1 } }
  const files = { ...withWorkflow, 'svc.yml': JSON.stringify(policy) }
  const accounts = [...new Set(names.map((name) => name.split('/')[0] ?? ''))]
  const installations = new Map(
    accounts.map((account) => [account, github.createInstallation({ account, type: 'Organization' })]),
  )
  return Promise.all(
    names.map(async (fullName) => {
      const [owner = '', name = ''] = fullName.split('/')
      const repository = await github.createRepository({ owner, name, files })
      for (const login of ['rob', 'eve']) repository.setPermission(login, 'write')
      installations.get(owner)?.addRepository(fullName)
      return repository
    }),
  )
}
