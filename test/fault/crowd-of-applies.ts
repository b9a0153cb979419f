import { setImmediate as turn } from 'node:timers/promises'
import type { PullRequestHandle, WorkflowRunHandle } from '#emulator/handles.ts'
import { playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { dispatchedJob } from '#test/scenes/dispatched.ts'
import { dependsOn, openPull, query, send, stack } from '#test/scenes/scene.ts'
import { deadlocks } from './locks/read-history.ts'

export type CrowdOptions = {
  /** Instances of the service, on one database: jobs and people use them in turn. */
  instances: readonly World[]
  pulls: number
  /** How many stacks there are; each pull request changes three in a row, in two waves. */
  stacks: number
  apiKey: string
}

type Change = { pull: PullRequestHandle; keys: string[]; commands: number[] }

/** How a crowd ended, and what went wrong. */
export type Crowd = { applied: number; rounds: number; commands: number; broken: string[] }

/**
 * Many pull requests that change the same stacks, all commanded `svc apply` at the same moment, again and again until each
 * was applied once: a refused one waits for the holder named in the answer. Jobs are played as runners play them.
 */
export const playCrowd = async (options: CrowdOptions): Promise<Crowd> => {
  const world = first(options.instances)
  world.repository.setPermission('rob', 'write')
  const changes: Change[] = []
  for (let index = 0; index < options.pulls; index += 1) changes.push(await planned(world, index, options.stacks))
  await world.settled()
  const broken: string[] = []
  const waiting = new Set(changes)
  let rounds = 0
  for (; waiting.size > 0 && rounds < options.pulls; rounds += 1) {
    for (const change of waiting) change.commands.push(change.pull.comment('svc apply', 'rob').id)
    broken.push(...(await runAll(options)))
    const done = await applied(world, [...waiting])
    if (done.length === 0)
      return { applied: options.pulls - waiting.size, rounds, commands: 0, broken: ['no progress'] }
    for (const change of done) {
      waiting.delete(change)
      for (const key of change.keys) await unlock(options, key)
    }
    // stacks applied meanwhile have outdated their plans
    for (const change of waiting) await plan(world, change.pull, change.keys)
  }
  const commands = changes.flatMap((change) => change.commands).length
  broken.push(...(await brokenAfter(world, changes)))
  return { applied: options.pulls - waiting.size, rounds, commands, broken }
}

const first = (instances: readonly World[]): World => {
  const [world] = instances
  if (!world) throw new Error('no instance')
  return world
}

const planned = async (world: World, index: number, stacks: number): Promise<Change> => {
  const keys = [0, 1, 2].map((offset) => `stack-${(index * 7 + offset) % stacks}`)
  const pull = await openPull(world, {})
  await plan(world, pull, keys)
  return { pull, keys, commands: [] }
}

/** All jobs of the pull request run (again). */
const plan = async (world: World, pull: PullRequestHandle, keys: string[]): Promise<void> => {
  const [a = '', b = '', c = ''] = keys
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  const edges = [dependsOn(b, a), dependsOn(c, a)]
  await job.upload(id, { graph: { stacks: keys.map((key) => stack(key)), edges }, stacks: keys })
  for (const key of keys) await job.report(id, key)
}

/** Plays all dispatches until there are no more; returns where two jobs worked on one stack at the same time. */
const runAll = async ({ instances }: CrowdOptions): Promise<string[]> => {
  const world = first(instances)
  const broken: string[] = []
  const atWork = new Map<string, number>()
  for (;;) {
    await world.settled()
    const open = world.repository.workflowRuns().filter((run) => run.now().status !== 'completed')
    if (open.length === 0) return broken
    await Promise.all(
      open.map((run, index) => playDispatch(instances[index % instances.length] ?? world, run, atWork, broken)),
    )
  }
}

const playDispatch = async (
  world: World,
  run: WorkflowRunHandle,
  atWork: Map<string, number>,
  broken: string[],
): Promise<void> => {
  const played = run.play()
  const { run_id: runId = '', stacks = '{}' } = played.inputs
  const { include = [] }: { include?: { key: string }[] } = JSON.parse(stacks)
  const job = dispatchedJob(world, played, 'default')
  for (const { key } of include) {
    const joined = await job.join(runId, { stacks: [key] })
    if (joined.status !== 200) broken.push(`${key} of run ${runId} was not let in: ${joined.status}`)
    const other = atWork.get(key)
    if (other !== undefined) broken.push(`${key} was changed by workflow runs ${other} and ${run.id} at the same time`)
    atWork.set(key, run.id)
    // the others come in between
    await turn()
    const reported = await job.report(runId, key)
    if (reported.status !== 200) broken.push(`${key} of run ${runId} was not taken: ${JSON.stringify(reported.body)}`)
    atWork.delete(key)
  }
  played.complete('success')
}

const applied = async (world: World, waiting: readonly Change[]): Promise<Change[]> => {
  const rows = await query(world, `select pr_number from runs where mode = 'apply' and status = 'applied'`)
  const numbers = new Set(rows.map((row) => row.pr_number))
  return waiting.filter((change) => numbers.has(change.pull.number))
}

const unlock = async ({ instances, apiKey }: CrowdOptions, key: string): Promise<void> => {
  const world = first(instances)
  const body = { repo: world.repository.fullName, stack_key: key, reason: 'the next one' }
  const { status } = await send(world, apiKey, '/v1/unlock', body)
  if (status !== 200) throw new Error(`unlocking ${key}: ${status}`)
}

const brokenAfter = async (world: World, changes: readonly Change[]): Promise<string[]> => [
  ...(await doubleHolders(world)),
  ...doubleDispatches(world),
  ...(await unanswered(world, changes)),
  ...circles(await deadlocks(world.pool)),
]

/** From the journal: a held lock was never taken by another pull request. */
export const doubleHolders = async (world: World): Promise<string[]> => {
  const rows = await query(
    world,
    `select stack_id as id, seq, event, state_from from lock_journal order by stack_id, seq`,
  )
  const holders = new Map<string, number | undefined>()
  return rows.flatMap(({ id, seq, event, state_from: from }) => {
    if (event.type === 'release.requested' || from === 'free') holders.delete(id)
    if (event.type !== 'lock.requested') return []
    const holder = holders.get(id)
    holders.set(id, event.pr_number)
    return holder === undefined || holder === event.pr_number
      ? []
      : [`lock ${id} of #${holder} was taken by #${event.pr_number} in step ${seq}`]
  })
}

export const doubleDispatches = ({ repository }: World): string[] => {
  const runs = repository.workflowRuns().map((run) => run.now())
  const titles = runs.filter(({ event }) => event === 'workflow_dispatch').map((run) => run.displayTitle)
  return titles.filter((title, index) => titles.indexOf(title) !== index).map((title) => `${title} was sent twice`)
}

/** Each command began a run, shown by a rocket, or got an answer that names the obstacle. */
export const unanswered = async (
  world: World,
  changes: readonly Pick<Change, 'pull' | 'commands'>[],
): Promise<string[]> => {
  const rows = await query(world, 'select comment_id from comment_commands where outcome is null')
  const silent = changes.flatMap(({ pull, commands }) =>
    commands.filter((id) => {
      const isBegun = pull.reactions(id).some(({ content }) => content === 'rocket')
      return !isBegun && !pull.comments().some(({ body }) => body.startsWith(`<!-- svc:answer comment ${id} -->`))
    }),
  )
  return [
    ...rows.map((row) => `command ${row.comment_id} is open`),
    ...silent.map((id) => `comment ${id} got no answer`),
  ]
}

const circles = (count: number): string[] => (count === 0 ? [] : [`${count} deadlocks`])
