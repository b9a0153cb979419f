import { z } from 'zod'
import { sql } from '#db/sql.ts'
import { brokenInRuns } from '../invariants.ts'
import { diceOf } from './dice.ts'
import { forget, type HostRepository } from './host/records.ts'
import { beginModel, type Model } from './model/model.ts'
import { observe } from './observe.ts'
import type { Place } from './place.ts'
import { applySteps } from './steps/apply-steps.ts'
import { commentSteps, unlock } from './steps/comment-steps.ts'
import { manualSteps } from './steps/manual-steps.ts'
import { planSteps } from './steps/plan-steps.ts'
import { deliverLate, pullSteps } from './steps/pull-steps.ts'
import { timeSteps } from './steps/time-steps.ts'
import { troubleSteps } from './steps/trouble-steps.ts'
import { windowSteps } from './steps/window-steps.ts'
import type { Choice, Step, Walk } from './walk.ts'

const steps: readonly Step[] = [
  ...pullSteps,
  ...planSteps,
  ...commentSteps,
  ...applySteps,
  ...manualSteps,
  ...timeSteps,
  ...windowSteps,
  ...troubleSteps,
]

/** The stacks of a repository, the same for each of its walks: chains, forks, and stacks by themselves. */
const graphs: readonly Model['graph'][] = [
  { a: [], b: ['a'], c: ['b'] },
  { a: [], b: ['a'], c: ['a'] },
  { a: [], b: [], c: ['a', 'b'] },
  { a: [], b: [], c: ['b'] },
]

const graphOf = (index: number): Model['graph'] => graphs[index % graphs.length] ?? {}

/** A step that was taken: its kind, which of it, and where in the walk. */
export type Taken = { name: string; key: string; at: number }

export type Walked = { seed: number; taken: Taken[]; broken: string[]; heard: ReadonlySet<string>; runs: string[] }

const beginWalk = async (place: Place, seed: number): Promise<Walk> => {
  const index = seed % place.repositories.length
  const repository = place.repositories[index] as HostRepository
  const known = await stacksOf(place, repository.id)
  if (known.length === 0) await introduce(place, repository, graphOf(index))
  const stacks = known.length === 0 ? await stacksOf(place, repository.id) : known
  const fences = Object.fromEntries(stacks.map(({ key, fence }) => [key, fence]))
  return {
    ...{ seed, place, repository, dice: diceOf(seed, 0), model: beginModel(graphOf(index), fences) },
    ...{ unheard: new Set<number>(), heard: new Set<string>(), broken: [], killsBefore: 0 },
    stackIds: Object.fromEntries(stacks.map(({ key, id }) => [key, id])),
  }
}

/** The service knows stacks by the graphs that were uploaded: a pull request before the first walk uploads one. */
const introduce = async (place: Place, repository: HostRepository, graph: Model['graph']): Promise<void> => {
  const walk: Walk = {
    ...{ seed: 0, place, repository, dice: () => 1, model: beginModel(graph, {}), stackIds: {} },
    ...{ unheard: new Set<number>(), heard: new Set<string>(), broken: [], killsBefore: 0 },
  }
  for (const { name, key } of introduction) {
    const chosen = repeated(walk, { name, key, at: 0 })
    if (!chosen) throw new Error(`${name} is not possible`)
    await chosen.choice.take()
  }
  await observe(walk, 'all')
  if (walk.broken.length > 0) throw new Error(walk.broken.join('\n'))
  forget(repository, walk.model.runs)
}

const introduction = [
  { name: 'open a pull request', key: '0' },
  { name: 'register', key: '0 anew' },
  { name: 'upload', key: '0 all 0' },
  { name: 'merge', key: '0' },
]

const StackRow = z.object({ key: z.string(), id: z.string(), fence: z.number() })

const stacksOf = (place: Place, repoId: number) =>
  place.pool.any(sql.type(StackRow)`
    select s.key, s.id, coalesce(l.fence, 0)::int as fence from stacks s left join locks l on l.stack_id = s.id
    where s.repo_id = ${repoId}`)

type Chosen = { step: Step; choice: Choice }

/** One of what may happen now: a kind by its weight, and then one of it. */
const choose = (walk: Walk): Chosen | undefined => {
  const possible = steps
    .map((step) => ({ step, choices: step.choices(walk) }))
    .filter(({ choices }) => choices.length > 0)
  const weighed = possible.map((one) => ({ ...one, weight: weightOf(walk, one.step) }))
  const sum = weighed.reduce((total, { weight }) => total + weight, 0)
  let drawn = (walk.dice(1_000_000) / 1_000_000) * sum
  for (const { step, choices, weight } of weighed) {
    drawn -= weight
    const choice = choices[walk.dice(choices.length)]
    if (drawn <= 0 && choice) return { step, choice }
  }
  return undefined
}

const weightOf = (walk: Walk, { weight }: Step): number => (typeof weight === 'number' ? weight : weight(walk))

/** The same step of a walk that was taken before, if it is possible now. */
const repeated = (walk: Walk, { name, key }: Taken): Chosen | undefined => {
  const step = steps.find((one) => one.name === name)
  const choice = step?.choices(walk).find((one) => one.key === key)
  return step && choice && { step, choice }
}

export type WalkOptions = { seed: number; length: number; script?: readonly Taken[] }

/** Takes a walk from its seed, or along a script. What is not as the model says ends it. */
export const takeWalk = async (place: Place, { seed, length, script }: WalkOptions): Promise<Walked> => {
  const walk = await beginWalk(place, seed)
  const taken: Taken[] = []
  const plan: readonly (Taken | undefined)[] = script ?? Array.from({ length }, () => undefined)
  for (const [index, wanted] of plan.entries()) {
    const at = wanted?.at ?? index + 1
    walk.dice = diceOf(seed, at)
    const chosen = wanted ? repeated(walk, wanted) : choose(walk)
    if (!chosen) continue
    taken.push({ name: chosen.step.name, key: chosen.choice.key, at })
    await takeStep(walk, chosen)
    if (walk.broken.length > 0) break
  }
  if (walk.broken.length === 0) await finish(walk)
  const runs = walk.model.runs.map(({ id }) => id)
  if (walk.broken.length === 0) walk.broken.push(...(await brokenInRuns(place.pool, runs)))
  await leave(walk)
  return { seed, taken, broken: walk.broken, heard: walk.heard, runs }
}

const takeStep = async (walk: Walk, { choice }: Chosen): Promise<void> => {
  const before = walk.model
  walk.killsBefore = walk.place.instances.kills()
  try {
    await choice.take()
    await observe(walk, { before })
  } catch (error) {
    walk.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

/** All news comes in the end; then everything is compared once more. */
const finish = async (walk: Walk): Promise<void> => {
  try {
    for (const number of walk.unheard) await deliverLate(walk, number)
    await observe(walk, 'all')
  } catch (error) {
    walk.broken.push(String(error))
  }
}

/** The next walk in this repository finds all locks free, and nothing under way. */
const leave = async (walk: Walk): Promise<void> => {
  const isHeld = (key: string): boolean => walk.broken.length > 0 || walk.model.locks[key]?.state !== 'free'
  for (const key of Object.keys(walk.model.locks).filter(isHeld)) await unlock(walk, key).catch(() => {})
  forget(walk.repository, walk.model.runs)
  await walk.place.quiet.settled(walk.repository.installationId).catch(() => {})
}
