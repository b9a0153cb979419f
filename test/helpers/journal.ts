import { type JournalRow, journalAfter } from '#db/machines/journal.ts'
import type { Reader } from '#db/sql.ts'
import type { Kind, Snapshot } from '#machines/index.ts'
import { type Replayed, replayRow } from '#runtime/replay.ts'

/** The whole journal of a machine, first row first. */
export const readJournal = async (db: Reader, kind: Kind, id: string): Promise<readonly JournalRow[]> =>
  journalAfter(db, { kind, id, after: -1, limit: 100_000 })

/**
 * The snapshot that a machine's journal leads to, from its first row: what is stored must equal it (invariant 5). Throws on a
 * journal with a gap, or one that the machine does not go through now.
 */
export const replay = <K extends Kind>(kind: K, journal: readonly JournalRow[]): Snapshot<K> => {
  let machine: Replayed<K> | undefined
  for (const row of journal) machine = replayRow(kind, machine, row)
  if (!machine) throw new Error(`journal of a ${kind}: it is empty`)
  return machine.snapshot
}
