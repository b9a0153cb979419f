import { addJournal, lastSeqs, type NewJournalRow } from '#db/journal.ts'
import type { SnapshotColumns } from '#db/snapshot-columns.ts'
import type { Tx } from '#db/sql.ts'
import { begin, type Kind, stateOf, statusOf } from '#machines/index.ts'
import { columnsOf } from './actor.ts'
import type { Who } from './message.ts'

/** A machine that is about to be stored for the first time: its columns, and where it stands. */
export type Begun = SnapshotColumns & { id: string; state: string; status: string }

export type Beginner = Who & { at: Date }

/**
 * The first snapshots of new machines, journalled. One that was there before (a stack of a run resolved anew) goes on numbering
 * its journal where it stopped.
 */
export const beginMachines = async (
  tx: Tx,
  kind: Kind,
  machines: { id: string; input: object }[],
  who: Beginner,
): Promise<Begun[]> => {
  const ids = machines.map(({ id }) => id)
  const seqs = await lastSeqs(tx, kind, ids)
  const begun = machines.map(({ id, input }) => {
    const snapshot = begin(kind, input as never)
    const columns = columnsOf(kind, snapshot, (seqs.get(id) ?? -1) + 1)
    return { ...columns, id, input, state: stateOf(snapshot), status: statusOf(snapshot) }
  })
  await addJournal(
    tx,
    begun.map((machine) => createdRow(kind, machine, who)),
  )
  return begun
}

/** The row that a machine's journal begins with, from which it can be replayed. */
export const createdRow = (
  kind: Kind,
  { id, seq, input, state }: { id: string; seq: number; input: object; state: string },
  { actor, cause, at }: Beginner,
): NewJournalRow => ({
  kind,
  id,
  seq,
  event: { type: 'created', input },
  eventKey: null,
  actor,
  cause: cause ?? null,
  from: null,
  to: state,
  actions: [],
  at,
})
