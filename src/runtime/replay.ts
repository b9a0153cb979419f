import type { JournalRow } from '#db/journal.ts'
import { begin, type Kind, type Snapshot, transit } from '#machines/index.ts'

/**
 * The snapshot that a machine's journal leads to, from its first row: what is stored must equal it (invariant 5). Rejects a
 * journal with a gap, or one whose event the machine refuses now.
 */
export const replay = (kind: Kind, journal: readonly JournalRow[]): Snapshot => {
  let snapshot: Snapshot | undefined
  journal.forEach((row, index) => {
    if (row.seq !== index) throw new Error(`journal of a ${kind}: row ${index} is missing`)
    if (row.event.type === 'created') {
      snapshot = begin(kind, row.event.input as never)
      return
    }
    if (!snapshot) throw new Error(`journal of a ${kind}: it does not begin with 'created'`)
    const { refusal, snapshot: next } = transit(kind, snapshot, row.event as never)
    if (refusal) throw new Error(`journal of a ${kind}: row ${index} (${row.event.type}) is refused: ${refusal.reason}`)
    snapshot = next
  })
  if (!snapshot) throw new Error(`journal of a ${kind}: it is empty`)
  return snapshot
}
