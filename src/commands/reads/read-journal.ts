import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { limitOf, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { type JournalRow, journalAfter, journalBefore } from '#db/machines/journal.ts'
import type { RequestDeps } from '../deps.ts'
import { type AskedMachine, askedMachine, withoutDigest } from './asked-machine.ts'

/** A transition as the API shows it. */
const shapeEntry = (row: JournalRow) => ({
  seq: row.seq,
  at: row.at.toISOString(),
  event: { ...withoutDigest(row.event), type: row.event.type },
  actor: row.actor,
  to: row.state_to,
  actions: row.actions,
  ...present({ cause: row.cause, from: row.state_from }),
})

/** The transitions of a machine, newest first unless the oldest are asked for first. */
export const readMachineJournal = async (
  deps: Pick<RequestDeps, 'pool' | 'rowsOf'>,
  caller: PersonOrKey,
  { order = 'desc', ...asked }: AskedMachine & PageRequest & { order?: 'asc' | 'desc' | undefined },
) => {
  const { journalId: id, rows: from } = await askedMachine(deps, caller, asked)
  const { kind } = asked
  const list = `journal of ${kind} ${id}${order === 'asc' ? ', oldest first' : ''}`
  const limit = limitOf(asked)
  // no more than Postgres' integer columns hold
  const last = readCursor(asked.cursor, z.tuple([z.literal(list), z.int32().nonnegative()]))?.[1]
  const rows = await (order === 'asc'
    ? journalAfter(from, { kind, id, after: last ?? -1, limit: limit + 1 })
    : journalBefore(from, { kind, id, before: last, limit: limit + 1 }))
  return pageOf(rows, limit, { keyOf: (row) => [list, row.seq], shape: shapeEntry })
}
