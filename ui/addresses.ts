import type { MachineKind } from '#api/machine.ts'
import type { Lock } from '#api/repositories/lock.ts'
import type { Run } from '#api/runs/run.ts'
import { dayOf, manyOf, nextOf, numberOf, oneOf, type Raw, textOf } from './search-params.ts'
import { stackStatuses } from './status/table.ts'

/*
 * Every page's address: its path, and its search parameters with their types. The address is the view, so whatever a page lets
 * somebody choose is here. Nonsense is as if it were not given, and never an error.
 */

/** Every parameter may be left out, in addresses and in links. */
type Search<T> = { [K in keyof T]?: T[K] | undefined }

const address = <P extends string, T extends object>(path: P, read: (raw: Raw) => T) => ({
  path,
  search: (raw: Raw): Search<T> => read(raw),
})

/** Keys of a record that has all of a type, as a list: a value that is missing or made up does not compile. */
const all = <T extends string>(values: Record<T, true>): T[] => Object.keys(values) as T[]

const modes = all<Run['mode']>({ plan: true, apply: true, drift: true })
const lockStates = all<Lock['state']>({
  ...({ 'held.claimed': true, 'held.changed': true, 'held.merged': true } as const),
  ...({ 'held.orphaned': true, 'held.manual': true } as const),
})
const queueStates = ['dead', 'queued', 'running'] as const
const runStatuses = all<Run['status']>({
  ...({ pending: true, planning: true, planned: true, applying: true } as const),
  ...({ applied: true, failed: true, unconfirmed: true, superseded: true } as const),
})

/** Of machines, as in `/machines/{kind}/{id}`. */
const machineKinds = all<MachineKind>({ run: true, stack: true, lock: true, dispatch: true })

const noSearch = (): object => ({})

/** What every tab of a run keeps: the stack that is open beside it, and the filters of its stacks. */
const stacksOfRun = (raw: Raw) => ({
  stack: textOf(raw.stack),
  status: manyOf(raw.status, stackStatuses),
  q: textOf(raw.q),
})

/** Which runs of a repository: of some statuses, or those that are under way. */
const runsOfOne = (raw: Raw) => {
  const status = manyOf(raw.status, runStatuses)
  return {
    status,
    open: status === undefined ? oneOf(raw.open, ['true']) : undefined,
    mode: oneOf(raw.mode, modes),
    pr: numberOf(raw.pr),
    actor: textOf(raw.actor),
  }
}

export const addresses = {
  overview: address('/', noSearch),
  signIn: address('/sign-in', (raw) => ({ next: nextOf(raw.next) })),
  run: address('/runs/$id', stacksOfRun),
  runTimeline: address('/runs/$id/timeline', (raw) => ({
    ...stacksOfRun(raw),
    as: oneOf(raw.as, ['table']),
    order: oneOf(raw.order, ['newest']),
    cause: textOf(raw.cause),
    sort: textOf(raw.sort),
  })),
  runChanges: address('/runs/$id/changes', (raw) => ({ ...stacksOfRun(raw), find: textOf(raw.find) })),
  runMachine: address('/runs/$id/machine', (raw) => ({
    ...stacksOfRun(raw),
    kind: oneOf(raw.kind, machineKinds),
    of: textOf(raw.of),
    seq: numberOf(raw.seq, 0),
  })),
  runStack: address('/runs/$id/stacks/$key', (raw) => ({ fold: textOf(raw.fold), find: textOf(raw.find) })),
  pull: address('/repos/$owner/$repo/pulls/$number', noSearch),
  machine: address('/machines/$kind/$id', (raw) => ({ seq: numberOf(raw.seq, 0) })),

  runs: address('/runs', (raw) => ({ ...runsOfOne(raw), repo: textOf(raw.repo) })),
  repositories: address('/repos', (raw) => ({ q: textOf(raw.q), sort: textOf(raw.sort) })),
  repository: address('/repos/$owner/$repo', (raw) => ({
    q: textOf(raw.q),
    status: manyOf(raw.status, stackStatuses),
    drifted: oneOf(raw.drifted, ['true']),
    unrun: oneOf(raw.unrun, ['true']),
    sort: textOf(raw.sort),
  })),
  repositoryRuns: address('/repos/$owner/$repo/runs', runsOfOne),
  repositoryGraph: address('/repos/$owner/$repo/graph', (raw) => ({
    stack: textOf(raw.stack),
    reach: oneOf(raw.reach, ['needs', 'needed']),
    q: textOf(raw.q),
    status: manyOf(raw.status, stackStatuses),
    drifted: oneOf(raw.drifted, ['true']),
    unrun: oneOf(raw.unrun, ['true']),
    as: oneOf(raw.as, ['table']),
    sort: textOf(raw.sort),
  })),
  repositoryLocks: address('/repos/$owner/$repo/locks', (raw) => ({
    state: manyOf(raw.state, lockStates),
    q: textOf(raw.q),
  })),
  stacks: address('/stacks', (raw) => ({
    q: textOf(raw.q),
    repo: textOf(raw.repo),
    environment: textOf(raw.environment),
    tag: textOf(raw.tag),
    status: manyOf(raw.status, stackStatuses),
    apply: manyOf(raw.apply, stackStatuses),
    drifted: oneOf(raw.drifted, ['true']),
    locked: oneOf(raw.locked, ['true']),
    behind: oneOf(raw.behind, ['true']),
  })),
  stack: address('/stacks/$id', noSearch),
  locks: address('/locks', (raw) => ({
    state: manyOf(raw.state, lockStates),
    q: textOf(raw.q),
    repo: textOf(raw.repo),
  })),
  drift: address('/drift', (raw) => ({ repo: textOf(raw.repo), q: textOf(raw.q) })),
  modules: address('/modules', (raw) => ({ q: textOf(raw.q), sort: textOf(raw.sort) })),
  /** `at` is a version, or `none` for what asks for no version. */
  module: address('/modules/$id', (raw) => ({ repo: textOf(raw.repo), at: textOf(raw.at), sort: textOf(raw.sort) })),
  audit: address('/audit', (raw) => ({
    actor: textOf(raw.actor),
    action: textOf(raw.action),
    target: textOf(raw.target),
    repo: textOf(raw.repo),
    from: dayOf(raw.from),
    to: dayOf(raw.to),
  })),
  queue: address('/queue', (raw) => ({ state: oneOf(raw.state, queueStates) })),
  search: address('/search', (raw) => ({ q: textOf(raw.q) })),
} as const
