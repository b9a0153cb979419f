import { claimTick } from '#db/drift-schedules.ts'
import { findGraph } from '#db/graphs.ts'
import { lockRepository } from '#db/module-tags.ts'
import { findOpenDrift, hasWarning, stacksChangedByHolders } from '#db/open-drift.ts'
import { findRepository, type Repository } from '#db/repositories.ts'
import { addWarnings, lockRuns, type RunRow } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { RepoConfig } from '#domain/config-file.ts'
import type { Graph } from '#domain/graph.ts'
import { resolve } from '#domain/resolve.ts'
import { driftNotChecked, driftOverlapping } from '#domain/warnings.ts'
import { beginReplan } from './begin-replan.ts'
import type { Deps } from './deps.ts'
import { readRepoConfig } from './read-repo-config.ts'
import { repoRefOf } from './repo-ref.ts'
import type { ScheduledStack } from './schedule-stacks.ts'
import { givesWay, isUnderWay } from './under-way.ts'

type DriftDeps = Pick<Deps, 'pool' | 'runtime' | 'codehost' | 'clock' | 'log'>

/** A tick of a repository's schedule. */
type DriftTick = { repoId: number; dueAt: Date; cause: string | null }

/** What a check goes by. */
type Subject = {
  repository: Repository
  sha: string
  graphId: string
  stacks: ScheduledStack[]
  held: Awaited<ReturnType<typeof stacksChangedByHolders>>
  readAt: Date
}

/**
 * Begins a check for drift of every stack that the default branch has, at its head (spec, 'Events'). Not where the former is
 * under way, which bears a warning then. A stack that somebody changed who is not merged is left out: it would look drifted.
 * Once a tick, however often it is asked. True where a run was begun.
 */
export const startDrift = async (deps: DriftDeps, tick: DriftTick): Promise<boolean> => {
  const repository = await findRepository(deps.pool, tick.repoId)
  if (!repository || repository.removed || repository.suspended || repository.archived) return false
  const subject = await readSubject(deps, repository)
  if (typeof subject === 'string') {
    deps.log.warn({ repo: repository.fullName, due: tick.dueAt }, `not checked for drift: ${subject}`)
    return false
  }
  if (!subject) return false
  const begun = await transact(deps.pool, (tx) => begin(deps, tx, tick, subject))
  if (begun === 'overlapping') {
    deps.log.warn(
      { repo: repository.fullName, due: tick.dueAt },
      'not checked for drift: the former check is under way',
    )
  }
  deps.runtime.wake()
  return begun === 'begun'
}

/**
 * What is to be checked, or why nothing can be; undefined where the configuration wants no checks any more. Locks are read
 * before the commit: a pull request that is merged in between is left out rather than taken for drift.
 */
const readSubject = async (deps: DriftDeps, repository: Repository): Promise<Subject | string | undefined> => {
  const { pool, codehost, clock } = deps
  const readAt = clock.now()
  const held = await stacksChangedByHolders(pool, repository.id)
  const sha = await codehost.branchHead(repoRefOf(repository), repository.defaultBranch)
  if (sha === undefined) return `the branch ${repository.defaultBranch} cannot be seen`
  const parsed = await readRepoConfig(deps, repository)
  if (!parsed.ok) return 'the configuration of the default branch is invalid'
  if (parsed.config.drift.schedule === undefined) return undefined
  const stored = repository.defaultGraphId === null ? undefined : await findGraph(pool, repository.defaultGraphId)
  if (!stored) return 'the default branch has no graph yet: it has one once a pull request with a plan is merged'
  const stacks = stacksOf(parsed.config, JSON.parse(stored.body) as Graph)
  if (stacks.length === 0) return undefined
  return { repository, sha, graphId: stored.id, stacks, held, readAt }
}

/** All in one wave: a check changes nothing, so that no stack need wait for another. */
const stacksOf = (config: RepoConfig, graph: Graph): ScheduledStack[] => {
  const restrict = graph.stacks.flatMap(({ key, external }) => (external ? [] : [key]))
  const { affected } = resolve({ graph, changedPaths: [], config, defaultBranch: { config, graph }, restrict })
  return affected.map((stack) => ({ ...stack, wave: 0 }))
}

type Begun = 'begun' | 'overlapping' | 'again'

const begin = async (deps: DriftDeps, tx: Tx, { dueAt, cause }: DriftTick, subject: Subject): Promise<Begun> => {
  const { repository, sha, graphId, stacks, held, readAt } = subject
  const who = { actor: 'system', cause }
  await lockRepository(tx, repository.id)
  if (!(await claimTick(tx, repository.id, dueAt))) return 'again'
  const former = await lockOpenDrift(tx, repository.id)
  if (former && !givesWay(former, deps.clock.now())) {
    await warnOverlapping(deps, tx, former, dueAt)
    return 'overlapping'
  }
  if (former) {
    const event = { type: 'head.replaced', sha }
    await deps.runtime.sendAll(tx, [{ to: { kind: 'run', id: former.id }, event, ...who }])
  }
  const changed = new Set(held.map(({ key }) => key))
  const runId = await beginReplan(deps, tx, {
    ...{ repoId: repository.id, prNumber: null, sha, baseSha: null, graphId, readAt, who },
    mode: 'drift',
    trigger: 'schedule',
    requestedBy: 'schedule',
    stacks: stacks.filter(({ key }) => !changed.has(key)),
  })
  const left = held.filter(({ key }) => stacks.some((stack) => stack.key === key))
  const warning = { ...driftNotChecked(left), at: deps.clock.now().toISOString() }
  if (left.length > 0) await addWarnings(tx, [{ runId, warning }])
  return 'begun'
}

/** Looked at again under its lock: it may have ended in that moment. */
const lockOpenDrift = async (tx: Tx, repoId: number): Promise<RunRow | undefined> => {
  const id = await findOpenDrift(tx, repoId)
  const [run] = id === undefined ? [] : await lockRuns(tx, [id])
  return run && isUnderWay(run) ? run : undefined
}

/** Once a run: a check that is due each minute would fill it. */
const warnOverlapping = async ({ clock }: DriftDeps, tx: Tx, run: RunRow, dueAt: Date): Promise<void> => {
  const { code, message } = driftOverlapping(dueAt)
  if (await hasWarning(tx, run.id, code)) return
  await addWarnings(tx, [{ runId: run.id, warning: { code, message, at: clock.now().toISOString() } }])
}
