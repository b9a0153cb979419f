import { addJournal } from '#db/journal.ts'
import { addLocks } from '#db/locks.ts'
import type { Tx } from '#db/sql.ts'
import { begin, stateOf, versionOf } from '#machines/index.ts'

/**
 * Makes the locks of stacks that were never locked, free, and journals those that it made. Two transactions may ask for the
 * same ones at the same time: rows are made in the order of stack ids, and the later one finds them made.
 */
export const openLocks = async (
  tx: Tx,
  stackIds: string[],
  who: { actor: string; cause?: string; at: Date },
): Promise<void> => {
  const free = begin('lock', {})
  const initial = { snapshot: { value: free.value, context: free.context }, version: versionOf.lock, seq: 0 }
  const made = await addLocks(tx, stackIds, { ...initial, state: stateOf(free) })
  await addJournal(
    tx,
    made.map((id) => ({
      kind: 'lock',
      id,
      seq: 0,
      event: { type: 'created', input: {} },
      eventKey: null,
      actor: who.actor,
      cause: who.cause ?? null,
      from: null,
      to: stateOf(free),
      actions: [],
      at: who.at,
    })),
  )
}
