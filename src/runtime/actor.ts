import type { DispatchRow } from '#db/dispatches.ts'
import type { LockRow } from '#db/locks.ts'
import type { RunStackRow } from '#db/run-stacks.ts'
import type { RunRow } from '#db/runs.ts'
import type { SnapshotColumns } from '#db/snapshot-columns.ts'
import { type Kind, restore, type Snapshot, statusOf, versionOf } from '#machines/index.ts'
import { stackRowId } from './address.ts'

type Rows = { run: RunRow; stack: RunStackRow; lock: LockRow; dispatch: DispatchRow }

type ActorOf<K extends Kind> = {
  kind: K
  /** Id in journal and timers. */
  id: string
  row: Rows[K]
  snapshot: Snapshot<K>
  seq: number
  startedAt: Date | null
  finishedAt: Date | null
  dirty: boolean
}

/** A machine in memory for the length of one transaction: its row, rehydrated. */
export type Actor = { [K in Kind]: ActorOf<K> }[Kind]

export type RunActor = ActorOf<'run'>
export type StackActor = ActorOf<'stack'>
export type LockActor = ActorOf<'lock'>
export type DispatchActor = ActorOf<'dispatch'>

const rehydrate = <K extends Kind>(
  kind: K,
  id: string,
  row: Rows[K],
  times: { started_at: Date | null; finished_at: Date | null } = { started_at: null, finished_at: null },
): ActorOf<K> => ({
  kind,
  id,
  row,
  snapshot: restore(kind, { version: row.version, ...row.snapshot }),
  seq: row.seq,
  startedAt: times.started_at,
  finishedAt: times.finished_at,
  dirty: false,
})

export const runActor = (row: RunRow): RunActor => rehydrate('run', row.id, row, row)
export const stackActor = (row: RunStackRow): StackActor =>
  rehydrate('stack', stackRowId(row.run_id, row.stack_id), row, row)
export const lockActor = (row: LockRow): LockActor => rehydrate('lock', row.stack_id, row)
export const dispatchActor = (row: DispatchRow): DispatchActor => rehydrate('dispatch', row.id, row)

/** What is stored of a machine, of whichever kind. */
export const columnsOf = (kind: Kind, { value, context }: Snapshot, seq: number): SnapshotColumns => ({
  snapshot: { value, context },
  version: versionOf[kind],
  seq,
})

export const nameOf = (kind: Kind, id: string): string => `${kind} ${id}`

const open: ReadonlySet<string> = new Set(['pending', 'planning', 'applying'])

/** Whether a run or a stack row of this status is still to come to its end. */
export const isOpen = (status: string): boolean => open.has(status)

/** When a run or a stack row began and ended, from its state before and after a transition. */
export const timesAfter = (
  actor: Pick<Actor, 'kind' | 'startedAt' | 'finishedAt'>,
  snapshot: Snapshot,
  at: Date,
): { startedAt: Date | null; finishedAt: Date | null } => {
  if (actor.kind === 'lock' || actor.kind === 'dispatch') return { startedAt: null, finishedAt: null }
  const status = statusOf(snapshot)
  const started = actor.startedAt ?? (status === 'planning' || status === 'applying' ? at : null)
  return { startedAt: started, finishedAt: isOpen(status) ? null : (actor.finishedAt ?? at) }
}
