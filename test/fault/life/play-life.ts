import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { migrate } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { createLog } from '#log.ts'
import { withWorkflow } from '#test/commands/dispatched.ts'
import { query, until } from '#test/commands/scene.ts'
import { random } from '#test/helpers/random.ts'
import type { World } from '#test/helpers/world.ts'
import { quietPort, serviceEnvironment } from '../place.ts'
import { type AftermathFigures, aftermath } from './aftermath.ts'
import { startBalancer } from './balancer.ts'
import { fallibleDatabase } from './database.ts'
import { keepEvidence } from './evidence.ts'
import type { Happening, Times } from './happenings.ts'
import { createHurry } from './hurry.ts'
import { createInstance } from './instance.ts'
import type { Life } from './life.ts'
import { startProber } from './prober.ts'
import { lies, type ReadinessFigures, readinessFigures } from './readiness.ts'
import { startRunners } from './runners.ts'
import { fates, playStory } from './story.ts'

export type LifeOptions = {
  /** Of an empty database of the Postgres in `postgresDir`. */
  databaseUrl: string
  postgresDir: string
  dataDir: string
  /** Pull requests, over so many seconds. */
  pulls: number
  seconds: number
  /** One after another, again and again until the seconds are over; at least once. */
  happenings: readonly Happening[]
  times: Times
  /** Repositories by full name. */
  repositories: readonly string[]
  seed: number
  /** That of production without. */
  leaseSeconds?: number
  /** Between two happenings. */
  calmSeconds: number
  /** After the last happening, for all to come to its end. */
  endSeconds: number
  backOffSeconds: number
  tell(line: string): void
  /** Once all was compared, and nothing is closed yet. */
  afterwards?(life: Life): Promise<void>
  /** Says what is to be stopped besides, where the program is ended in the middle. */
  later?(stop: () => Promise<unknown>): void
}

export type LifeReport = {
  broken: string[]
  happenings: string[]
  seconds: number
  readiness: ReadinessFigures
  figures: AftermathFigures
}

/** Lets many pull requests live through all of it, and looks at what came of them. */
export const playLife = async (options: LifeOptions): Promise<LifeReport> => {
  const begun = performance.now()
  const ending: (() => Promise<unknown>)[] = []
  try {
    const { life, readiness } = await open(options, ending)
    const happened = await storm(life, options)
    const { broken, figures } = await aftermath(life)
    if (broken.length > 0 && process.env.SVC_LIFE_LOGS) await keepEvidence(life, process.env.SVC_LIFE_LOGS)
    await options.afterwards?.(life)
    for (const instance of life.instances) await instance.terminate()
    const seconds = Math.round((performance.now() - begun) / 1000)
    const read = readiness()
    const problems = life.instances.flatMap((instance) => instance.problems)
    return {
      ...{ broken: [...life.broken, ...broken, ...problems, ...read.lies], happenings: happened, seconds },
      ...{ readiness: read.figures, figures },
    }
  } finally {
    for (const stop of ending.reverse()) await stop().catch((error) => options.tell(`stopping: ${error}`))
  }
}

/** Starts everything; `ending` is told how each part is stopped. */
const open = async (options: LifeOptions, ending: (() => Promise<unknown>)[]) => {
  const { databaseUrl, dataDir, leaseSeconds, backOffSeconds, tell } = options
  const log = createLog({ level: 'silent', format: 'json' })
  await migrate(databaseUrl)
  // hours of requests in minutes
  const github = await startEmulator({ dataDir, rateLimit: 10_000_000 })
  ending.push(() => github.close())
  const pool = await createPool(databaseUrl, { log })
  ending.push(() => pool.end())
  const repositories = await madeRepositories(github, options.repositories)
  const env = { ...serviceEnvironment(github, databaseUrl, 0), SVC_LOG_LEVEL: 'info' }
  const logDir = process.env.SVC_LIFE_LOGS ?? join(dataDir, 'logs')
  await mkdir(logDir, { recursive: true })
  const instances = await Promise.all(
    ['A', 'B'].map(async (name) => createInstance({ name, port: await quietPort(), env, logDir, leaseSeconds })),
  )
  const database = fallibleDatabase(options.postgresDir, databaseUrl)
  const killAll = async (): Promise<void> => {
    if (database.chronicle.now() === 'frozen') database.thaw()
    await Promise.all(instances.map((instance) => instance.end()))
  }
  ending.push(killAll)
  options.later?.(killAll)
  await Promise.all(instances.map((instance) => instance.start()))
  const probers = instances.map(startProber)
  ending.push(() => Promise.all(probers.map((prober) => prober.stop())))
  const balancer = await startBalancer(probers)
  ending.push(() => balancer.close())
  github.setWebhookUrl(`${balancer.url}/webhooks/codehost`)
  const service = { url: balancer.url, stop: async () => {} }
  const worlds = repositories.map((repository): World => {
    return { ...{ github, repository, service, pool, env }, settled: () => github.deliveriesSettled() }
  })
  const life: Life & { end(): void } = {
    ...{ github, pool, database, instances, worlds, backOffSeconds, tell },
    ...{ behaviours: new Map(), told: [], reported: [], broken: [] },
    ...overable(),
  }
  // before the first synchronisation there is no story to tell
  const isKnown = async () => (await query(first(worlds), 'select from repositories')).length === worlds.length
  await until(async () => probers.every((prober) => prober.isReady()) && (await isKnown()))
  const readiness = () => {
    const probed = probers.map(({ instance: { name, chronicle }, probes }) => ({ name, chronicle, probes }))
    return { lies: lies(probed, database.chronicle), figures: readinessFigures(probed, database.chronicle) }
  }
  return { life, readiness }
}

const first = ([world]: readonly World[]): World => {
  if (!world) throw new Error('there is no repository')
  return world
}

const overable = () => {
  let over = false
  return {
    isOver: () => over,
    end: () => {
      over = true
    },
  }
}

const madeRepositories = async (github: Awaited<ReturnType<typeof startEmulator>>, names: readonly string[]) => {
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

/** Lets it all happen, and waits for the ends of all stories; answers what happened. */
const storm = async (life: Life & { end(): void }, options: LifeOptions): Promise<string[]> => {
  const runners = startRunners(life)
  const hurry = createHurry(life)
  const stormUntil = performance.now() + options.seconds * 1000
  const stories = startStories(life, options)
  const telling = setInterval(() => life.tell(progressOf(life)), 10_000)
  const happened: string[] = []
  try {
    const order = shuffled(options.happenings, options.seed)
    for (let count = 0; count < order.length || performance.now() < stormUntil; count += 1) {
      const happening = order[count % order.length]
      if (!happening) break
      await wait(options.calmSeconds * 1000)
      life.tell(`-- ${happening.name}`)
      happened.push(happening.name)
      await happening.happen(life, options.times)
      life.tell('-- all is well again')
      await hurry.lookAgain()
    }
    await hurry.finish(stories, options.endSeconds)
  } finally {
    clearInterval(telling)
    life.end()
    await stories
    await runners.stop()
  }
  life.tell(progressOf(life))
  return happened
}

/** One after another over four fifths of the time, and each as long as it takes. */
const startStories = async (life: Life, { pulls, seconds, seed }: LifeOptions): Promise<void> => {
  const pick = random(seed)
  const order = Array.from({ length: pulls }, (_, index) => fates[index % fates.length] ?? {})
  const chosen = order.map((fate) => ({ fate, at: pick(1000) })).sort((a, b) => a.at - b.at)
  await Promise.all(
    chosen.map(async ({ fate }, index) => {
      await wait((index / pulls) * seconds * 800)
      const world = life.worlds[index % life.worlds.length]
      if (!world || life.isOver()) return
      await playStory(life, world, index, fate).catch((error: Error) => void life.broken.push(error.message))
    }),
  )
}

const shuffled = (happenings: readonly Happening[], seed: number): readonly Happening[] => {
  const pick = random(seed)
  return happenings
    .map((happening) => ({ happening, at: pick(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ happening }) => happening)
}

const progressOf = ({ told, reported, instances, database, broken }: Life): string => {
  const ended = (end: string) => told.filter((one) => one.end === end).length
  const states = instances.map(({ name, chronicle }) => `${name} ${chronicle.now()}`).join(', ')
  const wrong = broken.length === 0 ? '' : `; ${broken.length} wrong`
  return `${told.length} opened, ${ended('merged')} merged, ${ended('closed')} closed, ${reported.length} results; ${states}, Postgres ${database.chronicle.now()}${wrong}`
}
