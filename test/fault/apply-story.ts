import { z } from 'zod'
import { sql } from '#db/sql.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { playJob } from '#test/helpers/runner.ts'
import { dependsOn, query, stack } from '#test/scenes/scene.ts'
import type { AgeingWorld } from './ageing-world.ts'
import type { Mishap, Phase } from './mishaps/mishap.ts'
import { stormyWeather, type Weather } from './mishaps/stormy-weather.ts'
import { type Played, playRunners, type Runners } from './runners.ts'

/** Each story's stacks, below its own folder: two at first, and one that builds on the first of them. */
export const waves = [['network', 'dns'], ['app']] as const

/** What is left of a story when it is over. */
export type Told = {
  pull: PullRequestHandle
  /** `story-7/network`, of `network`. */
  keyOf(name: string): string
  /** The last of them: a person without an answer asks again. */
  commandId: number
  played: Played
  /** The locks before the pull request was merged. */
  locks: Record<string, string>
  isMerged: boolean
  /** The faults that never struck. */
  missed: string[]
}

/**
 * When people and the service look again, in minutes from the last time. By then GitHub has given up workflow runs without a
 * runner, and a reminder of locks was sent.
 */
const looks = [2, 2, 10, 20, 2, 31, 2, 31, 2, 1500, 2] as const

let stories = 0

type Scene = { world: AgeingWorld; weather: Weather; runners: Runners; pull: PullRequestHandle; commandId: number }

/**
 * A pull request is planned, approved, applied by command in two waves, and merged, with these mishaps during it. Runners
 * work, people ask again, and time passes until nothing is left to happen. A merge is a third of the work, mostly for git,
 * and has the same end for most.
 */
export const playApply = async (
  world: AgeingWorld,
  mishaps: readonly Mishap[],
  { isMerged = true }: { isMerged?: boolean } = {},
): Promise<Told> => {
  stories += 1
  const folder = `story-${stories}`
  const keyOf = (name: string): string => `${folder}/${name}`
  const weather = stormyWeather(world, mishaps)
  const behaviours = Object.assign({}, ...mishaps.map(({ runners = {} }) => runners))
  const runners = playRunners(world, behaviours, (key) => key.startsWith(`${folder}/`))
  try {
    weather.enter('plan')
    const pull = await planned(world, folder, keyOf)
    const scene: Scene = { world, weather, runners, pull, commandId: 0 }
    pull.review('eve', 'approve')
    await unfold(scene, 'plan', async () => true)
    weather.enter('apply')
    scene.commandId = pull.comment('svc apply', 'rob').id
    await unfold(scene, 'apply', () => isApplyOver(scene))
    const locks = await lockStates(world, folder)
    if (isMerged) {
      weather.enter('merge')
      await pull.merge('rob')
      await unfold(scene, 'merge', () => isMergeSeen(scene))
    }
    const { commandId } = scene
    return { pull, keyOf, commandId, played: runners.played, locks, isMerged, missed: weather.clear() }
  } finally {
    weather.clear()
  }
}

const planned = async (
  world: AgeingWorld,
  folder: string,
  keyOf: (name: string) => string,
): Promise<PullRequestHandle> => {
  const pull = await world.github.openPullRequest({
    repo: world.repository.fullName,
    branch: folder,
    title: 'Wider network',
    author: 'ada',
    changes: { [`${keyOf('network')}/main.tf`]: '# wider\n' },
  })
  const job = playJob(world, pull, { retries: true })
  const { body } = await job.open()
  const keys = waves.flat().map(keyOf)
  const graph = { stacks: keys.map((key) => stack(key)), edges: [dependsOn(keyOf('app'), keyOf('network'))] }
  const resolved = await job.upload(body.run_id, { graph, stacks: keys, changed_paths: [] })
  if (resolved.status !== 200) throw new Error(JSON.stringify(resolved.body))
  await Promise.all(keys.map((key) => job.report(body.run_id, key)))
  return pull
}

/** Lets things happen until they are over and nothing is queued, or nothing more can be expected to happen. */
const unfold = async (scene: Scene, phase: Phase, isOver: () => Promise<boolean>): Promise<void> => {
  const { world, weather, runners } = scene
  const happen = async (): Promise<void> => {
    do await world.quiet()
    while (!weather.isDown() && (await runners.work()))
  }
  await happen()
  for (const minutes of looks) {
    if ((await isOver()) && !(await isWaiting(world))) break
    weather.passed(minutes)
    runners.passed(minutes)
    await world.pass(minutes)
    if (minutes > 1000) runners.giveUp()
    if (phase === 'apply') await askAgain(scene, minutes)
    await happen()
  }
  if (await runners.rise()) await happen()
}

/** A person who sees no reaction after a while writes the command again. */
const askAgain = async (scene: Scene, minutes: number): Promise<void> => {
  const { pull, commandId } = scene
  if (minutes < 20 || pull.reactions(commandId).length > 0) return
  scene.commandId = pull.comment('svc apply', 'rob').id
}

const Count = z.object({ count: z.number() })

const isWaiting = async ({ pool }: AgeingWorld): Promise<boolean> =>
  (await pool.oneFirst(sql.type(Count)`
    select count(*)::int as count from jobs where state in ('queued', 'running')`)) > 0

/** Whether the apply of the pull request has ended, and so have all its dispatches. */
const isApplyOver = async ({ world, pull }: Scene): Promise<boolean> => {
  const runs = await query(
    world,
    `select r.status, (select count(*)::int from dispatches d where d.run_id = r.id
       and d.state not in ('completed', 'lost')) as open
     from runs r where r.mode = 'apply' and r.pr_number = ${pull.number}`,
  )
  return runs.length > 0 && runs.every(({ status, open }) => status !== 'applying' && open === 0)
}

const isMergeSeen = async ({ world, pull }: Scene): Promise<boolean> => {
  const [row] = await query(world, `select merged_at from pull_requests where number = ${pull.number}`)
  return row?.merged_at !== null
}

/** State of each lock of a story, by the last part of its stack's key. */
export const lockStates = async (world: AgeingWorld, folder: string): Promise<Record<string, string>> => {
  const rows = await query(
    world,
    `select s.key, l.state from locks l join stacks s on s.id = l.stack_id where s.key like '${folder}/%' order by s.key`,
  )
  return Object.fromEntries(rows.map(({ key, state }) => [key.slice(folder.length + 1), state]))
}
