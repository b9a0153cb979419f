import { addJournal } from '#db/journal.ts'
import { addLocks } from '#db/locks.ts'
import type { Tx } from '#db/sql.ts'
import { begin, stateOf } from '#machines/index.ts'
import { columnsOf } from './actor.ts'
import { type Beginner, createdRow } from './begin-machines.ts'

/**
 * Makes the locks of stacks that were never locked, free, and journals those that it made. Two transactions may ask for the
 * same ones at the same time: rows are made in the order of stack ids, and the later one finds them made.
 */
export const openLocks = async (tx: Tx, stackIds: string[], who: Beginner): Promise<void> => {
  const free = begin('lock', {})
  const state = stateOf(free)
  const made = await addLocks(tx, stackIds, { ...columnsOf('lock', free, 0), state })
  await addJournal(
    tx,
    made.map((id) => createdRow('lock', { id, seq: 0, input: {}, state }, who)),
  )
}
