import { type CoverageReport, createCoverage } from './coverage/coverage.ts'
import type { Place } from './place.ts'
import type { Script } from './scripts.ts'
import { shrink } from './shrink.ts'
import { type Taken, takeWalk } from './take-walk.ts'

export type WalksReport = {
  walks: number
  steps: number
  seconds: number
  walksPerSecond: number
  kills: number
  /** How often each kind of step was taken. */
  kinds: Record<string, number>
  coverage: CoverageReport
  /** Each with its seed, and the fewest steps that show it. */
  broken: string[]
}

export type WalksOptions = {
  seeds: readonly number[]
  length: number
  /** Taken first, and counted for what they reach. */
  scripts?: readonly Script[]
  tell(line: string): void
}

/** More are of no use to anybody. */
const mostBroken = 5

/** Takes the walks of these seeds, in all repositories at the same time. */
export const playWalks = async (
  place: Place,
  { seeds, length, scripts = [], tell }: WalksOptions,
): Promise<WalksReport> => {
  const begun = performance.now()
  const coverage = createCoverage(place.pool)
  const kinds = new Map<string, number>()
  const broken: string[] = []
  let done = 0
  const play = async (seed: number): Promise<void> => {
    const walked = await takeWalk(place, { seed, length })
    await coverage.read(walked.runs)
    coverage.hear(walked.heard)
    for (const { name } of walked.taken) kinds.set(name, (kinds.get(name) ?? 0) + 1)
    done += 1
    if (done % 200 === 0) tell(`${done} walks, ${((done / (performance.now() - begun)) * 1000).toFixed(1)} a second`)
    if (walked.broken.length === 0 || broken.length >= mostBroken) return
    tell(`seed ${seed}: ${walked.broken[0]}`)
    broken.push(`seed ${seed}: ${walked.broken.slice(0, 3).join('; ')}; after ${told(await shrink(place, walked))}`)
  }
  for (const { seed, script } of scripts) {
    const walked = await takeWalk(place, { seed, script, length: 0 })
    await coverage.read(walked.runs)
    coverage.hear(walked.heard)
    if (walked.taken.length < script.length) broken.push(`a script ended at step ${walked.taken.length}`)
    broken.push(...walked.broken.map((line) => `by script: ${line}`))
  }
  const lanes = Map.groupBy(seeds, (seed) => seed % place.repositories.length)
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const seed of lane) if (broken.length < mostBroken) await play(seed)
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  return {
    ...{ walks: done, steps: [...kinds.values()].reduce((sum, count) => sum + count, 0), seconds: Math.round(seconds) },
    ...{ walksPerSecond: Number((done / seconds).toFixed(1)), kills: place.instances.kills() },
    ...{ kinds: Object.fromEntries([...kinds].sort()), coverage: coverage.report(), broken },
  }
}

const told = (taken: readonly Taken[]): string => taken.map(({ name, key }) => `${name} (${key})`).join(', ')
