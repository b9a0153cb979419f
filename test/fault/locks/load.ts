import { diceOf } from '../walks/dice.ts'
import { fullNameOf, type HostPull, type HostRepository } from '../walks/host/records.ts'
import type { Place } from '../walks/place.ts'
import { askAsJob, askAsKey, type Caller, closePull, comment, openPull, planPull } from './callers.ts'
import { createHolders, type Holders } from './holders.ts'

export type LoadOptions = {
  /** Locks that are asked for or given back, each stack of a request counted. */
  operations: number
  seed: number
  /** Manual runs at a time in each repository, beside one pull request. */
  atOnce: number
  tell(line: string): void
}

export type LoadReport = { operations: Record<string, number>; refused: number; broken: string[] }

/** The stacks of a repository: few, so that they are wanted by several at a time. */
const stackKeys: readonly string[] = Array.from({ length: 12 }, (_, index) => `s${index}`)

type Load = {
  place: Place
  holders: Holders
  counts: Map<string, number>
  refused: number
  isOver(): boolean
  note(kind: string, count?: number): void
}

/** Takes and gives back locks in all repositories of a place, until so many operations are done. */
export const playLoad = async (place: Place, options: LoadOptions): Promise<LoadReport> => {
  const counts = new Map<string, number>()
  let done = 0
  let told = 0
  const load: Load = {
    ...{ place, holders: createHolders(), counts, refused: 0 },
    isOver: () => done >= options.operations,
    note: (kind, count = 1) => {
      counts.set(kind, (counts.get(kind) ?? 0) + count)
      done += count
      if (done - told < 5000) return
      told = done
      options.tell(`${done} operations`)
    },
  }
  await Promise.all(place.repositories.map((repository, index) => playRepository(load, repository, index, options)))
  return { operations: Object.fromEntries([...counts].sort()), refused: load.refused, broken: load.holders.broken }
}

const playRepository = async (
  load: Load,
  repository: HostRepository,
  index: number,
  { seed, atOnce }: LoadOptions,
): Promise<void> => {
  const callerOf = (number: number): Caller => {
    const dice = diceOf(seed, index * 101 + number)
    return { place: load.place, repository, keys: stackKeys, dice }
  }
  // the service knows stacks by the graphs that were uploaded
  const first = callerOf(0)
  const pull = openPull(first)
  await planPull(first, pull, stackKeys.slice(0, 1))
  await closePull(first, pull, true)
  await load.place.quiet.settled(repository.installationId)
  const loops = Array.from({ length: atOnce }, (_, number) => repeat(load, () => manualRun(load, callerOf(number + 1))))
  await Promise.all([...loops, repeat(load, () => pullRequest(load, callerOf(atOnce + 1)))])
}

const repeat = async (load: Load, turn: () => Promise<void>): Promise<void> => {
  while (!load.isOver()) await turn()
}

const some = ({ keys, dice }: Caller, most: number): string[] => {
  const from = dice(keys.length)
  return Array.from(
    { length: 1 + dice(most) },
    (_, index) => keys[(from + index * (1 + dice(2))) % keys.length] ?? '',
  ).filter((key, index, all) => all.indexOf(key) === index)
}

const applied = { mode: 'apply', status: 'success', exit_code: 0, has_changes: true }
const failed = { mode: 'apply', status: 'failure', exit_code: 1, has_changes: false }

/** A key takes some stacks, all or none, and gives each back by its result; one in six is released by somebody else. */
const manualRun = async (load: Load, caller: Caller): Promise<void> => {
  const { repository, dice } = caller
  const keys = some(caller, 6)
  const name = (key: string): string => `${repository.owner} ${key}`
  const begun = load.holders.asking()
  const sha = 'e'.repeat(40)
  const body = { repo: fullNameOf(repository), sha, mode: 'apply', trigger: 'manual', stacks: keys }
  const { status, body: run } = await askAsKey(caller, '/v1/runs', body)
  load.note('take by key', keys.length)
  if (status === 423) {
    load.refused += keys.length
    return unlockSome(load, caller)
  }
  if (status !== 201) load.holders.broken.push(`a manual run is answered ${status} ${JSON.stringify(run)}`)
  else for (const key of keys) load.holders.taken(name(key), run.run_id, begun)
  if (status !== 201) return
  for (const key of keys) {
    if (dice(6) === 0) await unlock(load, caller, key)
    load.holders.givingBack(name(key))
    await askAsKey(caller, `/v1/runs/${run.run_id}/stacks/${key}/result`, dice(5) === 0 ? failed : applied)
    load.note('result')
  }
}

const unlock = async (load: Load, caller: Caller, key: string): Promise<void> => {
  const answered = load.holders.releasing(`${caller.repository.owner} ${key}`)
  await askAsKey(caller, '/v1/unlock', { repo: fullNameOf(caller.repository), stack_key: key, reason: 'load' })
  answered()
  load.note('unlock')
}

const unlockSome = async (load: Load, caller: Caller): Promise<void> => {
  if (caller.dice(4) === 0) await unlock(load, caller, caller.keys[caller.dice(caller.keys.length)] ?? '')
}

/** A pull request takes some stacks for its applies, until it is merged or closed. */
const pullRequest = async (load: Load, caller: Caller): Promise<void> => {
  const pull = openPull(caller)
  const keys = some(caller, 4)
  for (let turn = 0; turn < 1 + caller.dice(2); turn += 1) {
    await planPull(caller, pull, keys)
    for (const key of keys) load.holders.forget(`${caller.repository.owner} ${key}`)
    await comment(caller, pull, 'svc apply')
    load.note('take by pull request', keys.length)
    await runJobs(load, caller)
  }
  for (const key of keys) load.holders.givingBack(`${caller.repository.owner} ${key}`)
  await closePull(caller, pull, caller.dice(2) === 0)
  load.note('close', keys.length)
  if (caller.dice(2) === 0) for (const key of keys) await unlock(load, caller, key)
  leave(caller, pull)
}

/** The jobs of what was sent out report, and the workflow run is forgotten. */
const runJobs = async (load: Load, caller: Caller): Promise<void> => {
  for (const { id, inputs } of [...caller.repository.workflowRuns.values()]) {
    const { include } = JSON.parse(inputs.stacks ?? '{"include":[]}') as { include: { key: string }[] }
    for (const { key } of include) {
      const job = { workflowRunId: id, attempt: 1 }
      const result = caller.dice(5) === 0 ? failed : applied
      await askAsJob(caller, job, `/v1/runs/${inputs.run_id}/stacks/${key}/result`, result)
      load.note('result of a job')
    }
    caller.repository.workflowRuns.delete(id)
  }
}

const leave = ({ repository }: Caller, pull: HostPull): void => {
  repository.pulls.delete(pull.number)
  repository.comments.delete(pull.number)
  repository.checkRuns.delete(pull.headSha)
}
