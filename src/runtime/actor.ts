import type { DispatchRow } from '#db/machines/dispatches.ts'
import type { LockRow } from '#db/machines/locks.ts'
import type { ReportedStackRow, RunStackRow } from '#db/machines/run-stacks.ts'
import type { RunRow } from '#db/machines/runs.ts'
import type { SnapshotColumns } from '#db/machines/snapshot-columns.ts'
import { isOpen, isUnderWay } from '#domain/run-status.ts'
import { type Kind, restore, type Snapshot, statusOf, versionOf } from '#machines/index.ts'
import { stackRowId } from './address.ts'

type Rows = { run: RunRow; stack: RunStackRow | ReportedStackRow; lock: LockRow; dispatch: DispatchRow }

/** A machine in memory for the length of one transaction: its row, rehydrated. */
export type ActorOf<K extends Kind> = {
  [P in K]: {
    kind: P
    /** The id used in paths and timers. */
    id: string
    row: Rows[P]
    snapshot: Snapshot<P>
    seq: number
    startedAt: Date | null
    finishedAt: Date | null
    dirty: boolean
  }
}[K]

export type Actor = ActorOf<Kind>

export type RunActor = ActorOf<'run'>
export type StackActor = ActorOf<'stack'>
export type LockActor = ActorOf<'lock'>
export type DispatchActor = ActorOf<'dispatch'>

type Times = { started_at: Date | null; finished_at: Date | null }

const rehydrate = <K extends Kind>(
  kind: K,
  id: string,
  row: Rows[K],
  times: Times = { started_at: null, finished_at: null },
  snapshot = restored(kind, row),
): ActorOf<K> => ({
  kind,
  id,
  row,
  snapshot,
  seq: row.seq,
  startedAt: times.started_at,
  finishedAt: times.finished_at,
  dirty: false,
})

const restored = <K extends Kind>(kind: K, { version, snapshot }: SnapshotColumns): Snapshot<K> =>
  restore(kind, { version, ...snapshot })

/** Snapshots of stack rows by their text: rows that are alike share one. */
export type KnownSnapshots = Map<string, Snapshot<'stack'>>

const restoredOnce = (row: RunStackRow, known: KnownSnapshots): Snapshot<'stack'> => {
  const name = `${row.version} ${JSON.stringify(row.snapshot)}`
  const snapshot = known.get(name) ?? restored('stack', row)
  known.set(name, snapshot)
  return snapshot
}

export const runActor = (row: RunRow): RunActor => rehydrate('run', row.id, row, row)
export const stackActor = (row: RunStackRow | ReportedStackRow, known?: KnownSnapshots): StackActor =>
  rehydrate('stack', stackRowId(row.run_id, row.stack_id), row, row, known && restoredOnce(row, known))
export const lockActor = (row: LockRow): LockActor => rehydrate('lock', row.stack_id, row)
export const dispatchActor = (row: DispatchRow): DispatchActor => rehydrate('dispatch', row.id, row)

/** Whose journal its transitions are in; a lock's are in the timeline of whom the transition is about. */
export const journalPlace = (actor: Actor): { kind: Kind; run_id: string | null; subject_id: string } => {
  const { kind, id } = actor
  if (actor.kind === 'stack') return { kind, run_id: actor.row.run_id, subject_id: actor.row.stack_id }
  if (actor.kind === 'dispatch') return { kind, run_id: actor.row.run_id, subject_id: id }
  return { kind, run_id: actor.kind === 'run' ? id : null, subject_id: id }
}

/** What is stored of a machine, of any kind. */
export const columnsOf = (kind: Kind, { value, context }: Snapshot, seq: number): SnapshotColumns => ({
  snapshot: { value, context },
  version: versionOf[kind],
  seq,
})

/**
 * When a run or a stack row began and ended, from its states before and after a transition. A row that was unknown has ended when its
 * result came, late as that may be: until then its job may have changed the stack, and a plan from before that is overtaken.
 */
export const timesAfter = (
  actor: Pick<Actor, 'kind' | 'startedAt' | 'finishedAt'>,
  before: Snapshot,
  snapshot: Snapshot,
  at: Date,
): { startedAt: Date | null; finishedAt: Date | null } => {
  if (actor.kind === 'lock' || actor.kind === 'dispatch') return { startedAt: null, finishedAt: null }
  const status = statusOf(snapshot)
  const started = actor.startedAt ?? (isUnderWay(status) ? at : null)
  const isLate = actor.kind === 'stack' && statusOf(before) === 'unknown' && status !== 'unknown'
  return { startedAt: started, finishedAt: isOpen(status) ? null : isLate ? at : (actor.finishedAt ?? at) }
}
