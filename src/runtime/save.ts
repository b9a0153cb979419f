import { saveDispatches } from '#db/machines/dispatches.ts'
import { addLockJournal } from '#db/machines/journal.ts'
import { saveLocks } from '#db/machines/locks.ts'
import type { RunStackChange } from '#db/machines/run-stacks.ts'
import { addWarnings } from '#db/machines/runs.ts'
import { remembered } from '#db/machines/stack-snapshot.ts'
import { storeTransitions } from '#db/machines/store-transitions.ts'
import { addAudit } from '#db/people/audit.ts'
import { changeTimers } from '#db/queue/timers.ts'
import { coalesced } from '#jobs/job.ts'
import { stateOf, statusOf, versionOf } from '#machines/index.ts'
import { type Actor, columnsOf, type RunActor, type StackActor } from './actor.ts'
import { crossRepoJobs } from './consequences/cross-repo-jobs.ts'
import { noteDrift } from './consequences/drift-effects.ts'
import { standingsAfter } from './consequences/stack-standings.ts'
import type { Writes } from './draft.ts'
import { changedActors, runOf, type Stage } from './stage.ts'

/**
 * Writes the results of a batch of messages: what nearly all batches write in one statement, the rest with one statement for
 * each table. One after another and not in parallel: if one of several were refused, the others would reach Postgres after the
 * ROLLBACK, and stay. Returns in how many milliseconds the first job that it queued is due, null if it queued none.
 */
export const save = async (stage: Stage, writes: Writes): Promise<number | null> => {
  const { tx } = stage
  const dirty = changedActors(stage)
  writes.jobs.push(...crossRepoJobs(dirty))
  await noteDrift(stage, writes, dirty)
  const results = newest(writes.results, (row) => `${row.run_id} ${row.stack_id}`)
  const jobsInMs = await storeTransitions(tx, {
    runs: changedRuns(stage, dirty).map(runChange),
    stacks: stackChanges(stage, dirty),
    journal: writes.journal.filter(({ kind }) => kind !== 'lock'),
    standings: standingsAfter(stage, dirty),
    results,
    jobs: coalesced(writes.jobs),
  })
  await saveLocks(tx, dirty.flatMap(lockChange))
  await addLockJournal(
    tx,
    writes.journal.filter(({ kind }) => kind === 'lock'),
  )
  await saveDispatches(
    tx,
    dirty.flatMap((actor) => dispatchChange(stage, actor)),
  )
  await changeTimers(
    tx,
    newest(writes.timers, (timer) => `${timer.kind} ${timer.id} ${timer.name}`),
  )
  await addWarnings(tx, writes.warnings)
  await addAudit(tx, writes.audit)
  return jobsInMs
}

/** One statement may not touch a row twice: of several with the same name, the newest is written. */
const newest = <T>(rows: T[], name: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [name(row), row])).values(),
]

/** Runs of which anything changed: one that did not move itself is written as it is, for its `rev`, in the same statement. */
const changedRuns = (stage: Stage, dirty: readonly Actor[]): RunActor[] => [
  ...new Set(dirty.flatMap((actor) => runOf(stage, actor) ?? [])),
]

/** What rows that a save changes are stamped with: their run's next number. Exact, since the run is locked. */
const revAfter = (run: RunActor | undefined): number => {
  if (!run) throw new Error('a row of a run is saved without its run')
  return run.row.rev + 1
}

const runChange = (actor: RunActor) => {
  const { context } = actor.snapshot
  return {
    ...columnsOf(actor.kind, actor.snapshot, actor.seq),
    id: actor.id,
    status: statusOf(actor.snapshot),
    waves: context.tallies.length,
    current_wave: context.wave,
    started_at: actor.startedAt,
    finished_at: actor.finishedAt,
    rev: revAfter(actor),
  }
}

/** One for all rows that have become the same; those that made a transition together share its snapshot. */
const stackChanges = (stage: Stage, dirty: readonly Actor[]): RunStackChange[] => {
  const stacks = dirty.filter((actor) => actor.kind === 'stack')
  return [...Map.groupBy(stacks, ({ snapshot }) => snapshot).values()].flatMap((alike) =>
    [...Map.groupBy(alike, besideSnapshot).values()].flatMap((same) => stackChange(stage, same)),
  )
}

const besideSnapshot = ({ row, seq, startedAt, finishedAt }: StackActor): string =>
  `${row.run_id} ${seq} ${startedAt?.getTime()} ${finishedAt?.getTime()}`

const stackChange = (stage: Stage, same: readonly StackActor[]): RunStackChange[] => {
  const [actor] = same
  if (!actor) return []
  return [
    {
      ...remembered(actor.snapshot.context),
      version: versionOf.stack,
      seq: actor.seq,
      run_id: actor.row.run_id,
      stack_ids: same.map(({ row }) => row.stack_id),
      status: statusOf(actor.snapshot),
      started_at: actor.startedAt,
      finished_at: actor.finishedAt,
      rev: revAfter(runOf(stage, actor)),
    },
  ]
}

const lockChange = (actor: Actor) => {
  if (actor.kind !== 'lock') return []
  const { context } = actor.snapshot
  return [
    {
      ...columnsOf(actor.kind, actor.snapshot, actor.seq),
      stack_id: actor.id,
      state: stateOf(actor.snapshot),
      run_id: context.run_id ?? null,
      pr_number: context.pr_number ?? null,
      taken_at: context.taken_at ? new Date(context.taken_at) : null,
      fence: context.fence,
    },
  ]
}

const dispatchChange = (stage: Stage, actor: Actor) => {
  if (actor.kind !== 'dispatch') return []
  const { context } = actor.snapshot
  return [
    {
      ...columnsOf(actor.kind, actor.snapshot, actor.seq),
      id: actor.id,
      state: stateOf(actor.snapshot),
      workflow_run_id: context.workflow_run_id ?? null,
      workflow_run_attempt: context.attempt ?? null,
      rev: revAfter(runOf(stage, actor)),
    },
  ]
}
