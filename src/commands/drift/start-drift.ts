import { givesWay } from '#commands/dispatches/giving-way.ts'
import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import { beginDispatchedPlan } from '#commands/runs/begin-dispatched-plan.ts'
import type { PlacedStack } from '#commands/runs/place-stacks.ts'
import { claimTick } from '#db/drift/drift-schedules.ts'
import { findOpenDrift, hasWarning, stacksChangedByHolders } from '#db/drift/open-drift.ts'
import { addWarnings, lockRuns, type RunRow } from '#db/machines/runs.ts'
import { findGraph } from '#db/repositories/graphs.ts'
import { lockRepository, type Repository } from '#db/repositories/repositories.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { isUnderWay } from '#domain/run-status.ts'
import { driftNotChecked, driftOverlapping } from '#domain/texts/warnings.ts'
import type { Deps } from '../deps.ts'

type DriftDeps = Pick<Deps, 'pool' | 'findRepository' | 'runtime' | 'codehost' | 'clock' | 'log' | 'resolver'>

/** A tick of a repository's schedule. */
type DriftTick = { repoId: number; dueAt: Date; cause: string | null }

/** What a check works from. */
type Subject = {
  repository: Repository
  sha: string
  graphId: string
  stacks: PlacedStack[]
  held: Awaited<ReturnType<typeof stacksChangedByHolders>>
  readAt: Date
}

/**
 * Begins a check for drift of every stack that the default branch has, at its head (docs/interface.md, 'Events'). Not while
 * the former check is under way, which gets a warning then. A stack changed by an unmerged pull request is left out: it would
 * look drifted. Once per tick, however often it is asked for. True if a run began.
 */
export const startDrift = async (deps: DriftDeps, tick: DriftTick): Promise<boolean> => {
  const repository = await deps.findRepository(tick.repoId)
  if (!repository || repository.removed || repository.suspended || repository.archived) return false
  const subject = await readSubject(deps, repository)
  if (typeof subject === 'string') {
    deps.log.warn({ repo: repository.full_name, due: tick.dueAt }, `not checked for drift: ${subject}`)
    return false
  }
  if (!subject) return false
  const begun = await transact(deps.pool, (tx) => begin(deps, tx, tick, subject))
  if (begun === 'overlapping') {
    deps.log.warn(
      { repo: repository.full_name, due: tick.dueAt },
      'not checked for drift: the former check is under way',
    )
  }
  deps.runtime.wake()
  return begun === 'begun'
}

/**
 * What to check, or why nothing can be checked; undefined if the configuration no longer wants checks. Locks are read before
 * the commit: a pull request merged in between is left out rather than taken for drift.
 */
const readSubject = async (deps: DriftDeps, repository: Repository): Promise<Subject | string | undefined> => {
  const { pool, codehost, clock, resolver } = deps
  const readAt = clock.now()
  const held = await stacksChangedByHolders(pool, repository.id)
  const sha = await codehost.branchHead(repository, repository.default_branch)
  if (sha === undefined) return `the branch ${repository.default_branch} cannot be seen`
  const parsed = await readRepoConfig(deps, repository)
  if (!parsed.ok) return 'the configuration of the default branch is invalid'
  if (parsed.config.drift.schedule === undefined) return undefined
  const { id, default_graph_id: graphId } = repository
  const stored = graphId === null ? undefined : await findGraph(pool, id, graphId)
  if (!stored) return 'the default branch has no graph yet: it has one once a pull request with a plan is merged'
  const resolved = await resolver.resolveRecorded(
    repository,
    { graph: stored.body, config: parsed.config },
    { all: true },
  )
  if (!resolved.ok) return `its stacks cannot be put in order: ${resolved.reason}`
  if (resolved.stacks.length === 0) return undefined
  // all in one wave: a check changes nothing, so no stack need wait for another
  const stacks = resolved.stacks.map((stack) => ({ ...stack, wave: 0 }))
  return { repository, sha, graphId: stored.id, stacks, held, readAt }
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
    const event = { type: 'head.replaced', sha } as const
    await deps.runtime.sendAll(tx, [{ to: { kind: 'run', id: former.id }, event, ...who }])
  }
  const changed = new Set(held.map(({ key }) => key))
  const runId = await beginDispatchedPlan(deps, tx, {
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

/** Checked again under its lock: it may just have ended. */
const lockOpenDrift = async (tx: Tx, repoId: number): Promise<RunRow | undefined> => {
  const id = await findOpenDrift(tx, repoId)
  const [run] = id === undefined ? [] : await lockRuns(tx, [id])
  return run && isUnderWay(run.status) ? run : undefined
}

/** Once per run: checks that are due each minute would fill it. */
const warnOverlapping = async ({ clock }: DriftDeps, tx: Tx, run: RunRow, dueAt: Date): Promise<void> => {
  const { code, message } = driftOverlapping(dueAt)
  if (await hasWarning(tx, run.id, code)) return
  await addWarnings(tx, [{ runId: run.id, warning: { code, message, at: clock.now().toISOString() } }])
}
