import { setTimeout as wait } from 'node:timers/promises'
import { random } from '#test/helpers/random.ts'
import { type AftermathFigures, aftermath } from './aftermath.ts'
import { startAutomation } from './automation.ts'
import { keepEvidence } from './evidence.ts'
import type { Happening } from './happenings.ts'
import { createHurry } from './hurry.ts'
import type { Life } from './life.ts'
import { openLife } from './open-life.ts'
import type { LifeOptions } from './options.ts'
import { lies, type ReadinessFigures, readinessFigures } from './readiness.ts'
import { roughWeather } from './rough-weather.ts'
import { startRunners } from './runners.ts'
import { fates, playStory } from './story.ts'

export type LifeReport = {
  broken: string[]
  happenings: string[]
  seconds: number
  readiness: ReadinessFigures
  figures: AftermathFigures
}

/** Lets many pull requests live through everything, and checks how they ended. */
export const playLife = async (options: LifeOptions): Promise<LifeReport> => {
  const begun = performance.now()
  const ending: (() => Promise<unknown>)[] = []
  try {
    const { life, probers } = await openLife(options, (stop) => ending.push(stop))
    const happened = await storm(life, options)
    const { broken, figures } = await aftermath(life)
    if (life.broken.length + broken.length > 0 && process.env.SVC_LIFE_LOGS)
      await keepEvidence(life, process.env.SVC_LIFE_LOGS)
    await options.afterwards?.(life)
    await Promise.all(life.instances.map((instance) => instance.terminate()))
    const seconds = Math.round((performance.now() - begun) / 1000)
    const probed = probers.map(({ instance: { name, chronicle }, probes }) => ({ name, chronicle, probes }))
    const lied = lies(probed, life.database.chronicle)
    const problems = life.instances.flatMap((instance) => instance.problems)
    return {
      ...{ broken: [...life.broken, ...broken, ...problems, ...lied], happenings: happened, seconds },
      ...{ readiness: readinessFigures(probed, life.database.chronicle), figures },
    }
  } finally {
    for (const stop of ending.reverse()) await stop().catch((error) => options.tell(`stopping: ${error}`))
  }
}

/** Lets it all happen, and waits for the ends of all stories; returns what happened. */
const storm = async (life: Life & { end(): void }, options: LifeOptions): Promise<string[]> => {
  const runners = startRunners(life)
  const hurry = createHurry(life)
  const clear = options.isRough ? roughWeather(life, options.seed) : () => {}
  const stormUntil = performance.now() + options.seconds * 1000
  const automation = await startAutomation(life)
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
    clear()
    await automation.stop()
    await hurry.finish(stories, options.endSeconds)
  } finally {
    clearInterval(telling)
    life.end()
    await automation.stop()
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
