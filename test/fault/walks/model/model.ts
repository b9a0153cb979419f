/*
 * The reference: what docs/interface.md, gate.md and commands.md say of a few pull requests that change the same stacks, in the
 * plainest form. It shares no code with the service, and knows neither its machines nor its tables.
 */

export type Row = {
  wave: number
  status: string
  /** When it came to that status, counted in events. */
  at: number
  /** The recorded result: the same again is the same result. */
  result?: string
  /** The acquisition of the lock that an apply of the stack relies on. */
  fence?: number
  blockedBy: string[]
  /** The plan run that an apply applies. */
  plan?: string
}

export type Job = { workflowRunId: number; attempt: number }

/** What was sent out, and the workflow run that took it. */
export type Dispatch = {
  wave: number
  state: 'requested' | 'refused' | 'awaiting' | 'bound' | 'lost' | 'completed'
  workflowRunId?: number
  attempt?: number
  refusals: number
  keys: string[]
}

export type Run = {
  id: string
  mode: 'plan' | 'apply'
  trigger: 'pull_request' | 'comment' | 'manual'
  /** Number of the pull request; a manual run has none. */
  pull?: number
  sha: string
  status: 'pending' | 'planning' | 'planned' | 'applying' | 'applied' | 'failed' | 'unconfirmed' | 'superseded'
  /** A newer commit came while its wave was out. */
  superseding: boolean
  /** A window keeps its next wave: nothing of it is out. */
  holding: boolean
  wave: number
  rows: Record<string, Row>
  dispatches: Dispatch[]
  /** The pull request's workflow run that it belongs to. */
  job?: Job
  /** The recorded upload, and whether that ended the run. */
  upload?: { name: string; ended: boolean }
  /** It failed before any stack was planned. */
  unresolved: boolean
}

export type Lock = {
  state: 'free' | 'held.claimed' | 'held.changed' | 'held.merged' | 'held.orphaned' | 'held.manual'
  fence: number
  run?: string
  pull?: number
  merged: boolean
  /** Nobody saw the end of an apply of the stack. */
  unknown: boolean
}

export type Pull = { number: number; state: 'open' | 'closed' | 'merged'; sha: string }

/**
 * What happens to the next dispatch at the code host. `unanswered`: it is started, and the answer is lost. `unlisted`: nor is it
 * found when it is looked for, so that it is started twice.
 */
export type DispatchFault = 'refused' | 'unanswered' | 'unlisted'

export type Model = {
  tick: number
  /** What each stack depends on. */
  graph: Readonly<Record<string, readonly string[]>>
  pulls: Record<number, Pull>
  /** In the order in which they were made. */
  runs: Run[]
  locks: Record<string, Lock>
  fault?: DispatchFault
  /** Runs whose wave is to be sent out, once what made it so is done. */
  due: string[]
  /** A window that holds waves is in the way of each that would begin now. */
  isFrozen: boolean
}

export const beginModel = (graph: Model['graph'], fences: Record<string, number>): Model => ({
  ...{ tick: 0, graph, pulls: {}, runs: [], due: [], isFrozen: false },
  locks: Object.fromEntries(
    Object.keys(graph).map((key) => [
      key,
      { state: 'free', fence: fences[key] ?? 0, merged: false, unknown: false } as const,
    ]),
  ),
})

export const runOf = (model: Model, id: string): Run => {
  const run = model.runs.find((one) => one.id === id)
  if (!run) throw new Error(`the model has no run ${id}`)
  return run
}

export const rowOf = (run: Run, key: string): Row => {
  const row = run.rows[key]
  if (!row) throw new Error(`run ${run.id} of the model has no stack ${key}`)
  return row
}

export const lockOf = (model: Model, key: string): Lock => {
  const lock = model.locks[key]
  if (!lock) throw new Error(`the model has no stack ${key}`)
  return lock
}

const openStatuses = new Set(['pending', 'planning', 'applying'])
export const isOpen = ({ status }: { status: string }): boolean => openStatuses.has(status)

/** All that a stack depends on, near and far. */
export const needsOf = (graph: Model['graph'], key: string): Set<string> => {
  const found = new Set<string>()
  const visit = (one: string): void => {
    for (const need of graph[one] ?? []) {
      if (!found.has(need)) {
        found.add(need)
        visit(need)
      }
    }
  }
  visit(key)
  return found
}

/** The waves of some stacks: each after all of them that it depends on. */
export const wavesOf = (graph: Model['graph'], keys: readonly string[]): Record<string, number> => {
  const waves: Record<string, number> = {}
  const waveOf = (key: string): number => {
    const needed = keys.filter((other) => needsOf(graph, key).has(other))
    waves[key] ??= needed.length === 0 ? 0 : Math.max(...needed.map(waveOf)) + 1
    return waves[key]
  }
  for (const key of keys) waveOf(key)
  return waves
}
