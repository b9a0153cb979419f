import { addJournal, addLockJournal, type NewJournalRow } from '#db/machines/journal.ts'
import { addLocks } from '#db/machines/locks.ts'
import type { SnapshotColumns } from '#db/machines/snapshot-columns.ts'
import type { TenantTx } from '#db/tenant.ts'
import { isUnderWay } from '#domain/run-status.ts'
import { begin, type InputOf, type Kind, type Snapshot, stateOf, statusOf } from '#machines/index.ts'
import { portionsOf } from '#portions.ts'
import { columnsOf } from './actor.ts'
import type { EventOf, Who } from './message.ts'

/** A machine that is about to be stored for the first time: its columns, its state and its status. */
export type Begun<K extends Kind> = SnapshotColumns & {
  snapshot: Snapshot<K>
  id: string
  state: string
  status: string
  /** Of a run or a stack's row that is under way already. */
  startedAt: Date | null
}

/** A machine by its id in journal and timers, its run (itself, if it is one), and its initial input. */
export type NewMachine<K extends Kind> = {
  id: string
  runId: string
  input: InputOf<K>
  /** The number of its last row in the journal, if it existed before: a stack of a run that is resolved again. */
  lastSeq?: number | undefined
  /** An event that it takes before it is stored, and that asks for nothing: it is stored and journalled once instead of twice. */
  took?: EventOf<K>
}

export type Beginner = Who & { at: Date }

/** Makes the first snapshots of new machines, and journals them. */
export const beginMachines = async <K extends Kind>(
  tx: TenantTx,
  kind: K,
  machines: NewMachine<K>[],
  who: Beginner,
): Promise<Begun<K>[]> => {
  // the stacks of a run begin nearly all alike: a transition takes XState some 15 to 50 µs, a row of the journal Postgres 12 to be read
  const known = new Map<string, First<K>>()
  const firstOf = ({ id, runId, input, took, lastSeq = -1 }: NewMachine<K>): First<K> => {
    const name = JSON.stringify([runId, input, took, lastSeq])
    const first = known.get(name)
    if (first) {
      first.row.subject_ids.push(subjectOf(id))
      return first
    }
    const snapshot = begin(kind, input, took)
    const [state, status, seq] = [stateOf(snapshot), statusOf(snapshot), lastSeq + 1]
    const row = createdRow(kind, { ids: [id], runId, seq, event: { input, took }, state }, who)
    const startedAt = isUnderWay(status) ? who.at : null
    const made = { row, columns: { ...columnsOf(kind, snapshot, seq), snapshot, state, status, startedAt } }
    known.set(name, made)
    return made
  }
  const begun = machines.map((machine) => ({ ...firstOf(machine).columns, id: machine.id }))
  await addJournal(
    tx,
    Array.from(known.values(), ({ row }) => row),
  )
  return begun
}

/** What machines are that began alike, and the journal row that tells of all of them. */
type First<K extends Kind> = { columns: Omit<Begun<K>, 'id'>; row: NewJournalRow }

/**
 * Adds the locks of stacks that were never locked, free, and journals those it added. Two transactions may ask for the same
 * locks at the same time: rows are added in the order of stack ids, and the later one finds them there.
 */
export const openLocks = async (tx: TenantTx, stackIds: string[], who: Beginner): Promise<void> => {
  const free = begin('lock', {})
  const state = stateOf(free)
  const made = await addLocks(tx, stackIds, { ...columnsOf('lock', free, 0), state })
  for (const ids of portionsOf(made))
    await addLockJournal(tx, [createdRow('lock', { ids, runId: null, seq: 0, event: { input: {} }, state }, who)])
}

/** A stack's row is named by its run and the stack; any other machine by what it is. */
const subjectOf = (id: string): string => id.slice(id.indexOf(':') + 1)

type Created = {
  ids: readonly string[]
  runId: string | null
  seq: number
  event: { input: object; took?: object | undefined }
  state: string
}

/** The first row of each machine's journal, from which the machine can be replayed. */
const createdRow = (
  kind: Kind,
  { ids, runId, seq, event, state }: Created,
  { actor, cause, at }: Beginner,
): NewJournalRow => ({
  kind,
  subject_ids: ids.map(subjectOf),
  run_id: runId,
  seq,
  event: { type: 'created', ...event },
  event_key: null,
  actor,
  cause: cause ?? null,
  state_from: null,
  state_to: state,
  actions: [],
  at,
})
