import { addJournal, addLockJournal, lastSeqs, type NewJournalRow } from '#db/machines/journal.ts'
import { addLocks } from '#db/machines/locks.ts'
import type { SnapshotColumns } from '#db/machines/snapshot-columns.ts'
import type { TenantTx } from '#db/tenant.ts'
import { begin, type InputOf, type Kind, type Snapshot, stateOf, statusOf } from '#machines/index.ts'
import { columnsOf } from './actor.ts'
import type { Who } from './message.ts'

/** A machine that is about to be stored for the first time: its columns, its state and its status. */
export type Begun = SnapshotColumns & { id: string; state: string; status: string }

/** A machine by its id in journal and timers, its run (itself, if it is one), and its initial input. */
export type NewMachine<K extends Kind> = { id: string; runId: string; input: InputOf<K> }

export type Beginner = Who & { at: Date }

/**
 * Makes the first snapshots of new machines, and journals them. If a machine existed before (a stack of a run resolved again),
 * its journal numbers continue.
 */
export const beginMachines = async <K extends Kind>(
  tx: TenantTx,
  kind: K,
  machines: NewMachine<K>[],
  who: Beginner,
): Promise<Begun[]> => {
  const seqs = await lastSeqs(
    tx,
    machines.map(({ id, runId }) => ({ runId, subjectId: subjectOf(id) })),
  )
  // the stacks of a run begin nearly all alike, and a first transition takes XState some 15 µs
  const firsts = new Map<string, Snapshot<K>>()
  const firstOf = (input: InputOf<K>): Snapshot<K> => {
    const name = JSON.stringify(input)
    const first = firsts.get(name) ?? begin(kind, input)
    firsts.set(name, first)
    return first
  }
  const begun = machines.map(({ id, runId, input }) => {
    const snapshot = firstOf(input)
    const columns = columnsOf(kind, snapshot, (seqs.get(`${runId} ${subjectOf(id)}`) ?? -1) + 1)
    return { ...columns, id, runId, input, state: stateOf(snapshot), status: statusOf(snapshot) }
  })
  await addJournal(
    tx,
    begun.map((machine) => createdRow(kind, machine, who)),
  )
  return begun
}

/**
 * Adds the locks of stacks that were never locked, free, and journals those it added. Two transactions may ask for the same
 * locks at the same time: rows are added in the order of stack ids, and the later one finds them there.
 */
export const openLocks = async (tx: TenantTx, stackIds: string[], who: Beginner): Promise<void> => {
  const free = begin('lock', {})
  const state = stateOf(free)
  const made = await addLocks(tx, stackIds, { ...columnsOf('lock', free, 0), state })
  await addLockJournal(
    tx,
    made.map((id) => createdRow('lock', { id, runId: null, seq: 0, input: {}, state }, who)),
  )
}

/** A stack's row is named by its run and the stack; any other machine by what it is. */
const subjectOf = (id: string): string => id.slice(id.indexOf(':') + 1)

/** The first row of a machine's journal, from which the machine can be replayed. */
const createdRow = (
  kind: Kind,
  { id, runId, seq, input, state }: { id: string; runId: string | null; seq: number; input: object; state: string },
  { actor, cause, at }: Beginner,
): NewJournalRow => ({
  kind,
  subject_id: subjectOf(id),
  run_id: runId,
  seq,
  event: { type: 'created', input },
  event_key: null,
  actor,
  cause: cause ?? null,
  state_from: null,
  state_to: state,
  actions: [],
  at,
})
