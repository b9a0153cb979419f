import type { JournalEntry, Machine, MachineKind } from '#api/machine.ts'
import { getJson, pathOf, withQuery } from './client.ts'
import type { Page } from './page.ts'

export type { JournalEntry, Machine, MachineKind }

/** A machine as it is, or as it was after one of its transitions. */
export const readMachine = (
  { kind, id, seq }: { kind: MachineKind; id: string; seq?: number | undefined },
  signal?: AbortSignal,
): Promise<Machine> => getJson(withQuery(pathOf('machines', kind, id), { seq }), signal)

/** The newest entries of a machine's journal. */
export const readJournal = (
  { kind, id }: { kind: MachineKind; id: string },
  signal?: AbortSignal,
): Promise<Page<JournalEntry>> => getJson(withQuery(pathOf('machines', kind, id, 'journal'), { limit: 100 }), signal)
