import { z } from 'zod'
import { type JournalRow, journalBefore } from '#db/journal.ts'
import { timersOf } from '#db/timers.ts'
import { findMachine, type MachineName, type MachineView } from '#db/views/machine-view.ts'
import { invalid, Problem } from '#errors.ts'
import { stackRowId } from '#runtime/address.ts'
import { inspect, type Kind } from '#runtime/inspect.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { limitOf, type PageRequest, pageOf, readCursor } from './page.ts'
import { sightOf } from './people/person.ts'

type Asked = { kind: Kind; id: string }

const Uuid = z.guid().toLowerCase()

const nameOf = ({ kind, id }: Asked): MachineName => {
  const [first, second, ...more] = id.split(':')
  const [one, other] = [Uuid.safeParse(first).data, Uuid.safeParse(second).data]
  if (kind === 'stack') {
    if (one && other && more.length === 0) return { kind, runId: one, stackId: other }
    throw invalid('id', "must be the UUIDs of the run and the stack: 'run_id:stack_id'")
  }
  if (!one || second !== undefined) throw invalid('id', 'must be a UUID')
  if (kind === 'lock') return { kind, stackId: one }
  return kind === 'run' ? { kind, id: one } : { kind, id: one }
}

const journalIdOf = (name: MachineName): string => {
  if (name.kind === 'stack') return stackRowId(name.runId, name.stackId)
  return name.kind === 'lock' ? name.stackId : name.id
}

type Found = { view: MachineView; journalId: string }

const find = async ({ pool }: Pick<Deps, 'pool'>, caller: PersonOrKey, asked: Asked): Promise<Found> => {
  const name = nameOf(asked)
  const journalId = journalIdOf(name)
  const view = await findMachine(pool, sightOf(caller), name, journalId)
  if (!view) throw new Problem('not_found', `there is no ${asked.kind} ${asked.id}`)
  return { view, journalId }
}

/**
 * The digest of a reported result is over its plan text too, which is kept nowhere where a stack's plan_output is summary:
 * whoever had the digest could try guesses at what a plan said.
 */
const withoutDigest = <T extends Record<string, unknown>>({ digest: _, ...rest }: T) => rest

/** A machine as it stands, with what it would accept and what it waits for. */
export const readMachine = async (deps: Pick<Deps, 'pool'>, caller: PersonOrKey, asked: Asked) => {
  const { view, journalId } = await find(deps, caller, asked)
  const { value, context, events } = inspect(asked.kind, view)
  const timers = await timersOf(deps.pool, asked.kind, journalId)
  return {
    kind: asked.kind,
    id: journalId,
    version: view.version,
    value,
    context: withoutDigest(context),
    events,
    timers: timers.map(({ name, event, due_at }) => ({ name, event: event.type, due_at: due_at.toISOString() })),
    updated_at: view.updated_at.toISOString(),
  }
}

const shapeEntry = (row: JournalRow) => ({
  seq: row.seq,
  at: row.at.toISOString(),
  event: withoutDigest(row.event) as { type: string },
  actor: row.actor,
  ...(row.state_from === null ? {} : { from: row.state_from }),
  to: row.state_to,
  actions: row.actions,
})

/** The transitions of a machine, newest first. */
export const readMachineJournal = async (deps: Pick<Deps, 'pool'>, caller: PersonOrKey, asked: Asked & PageRequest) => {
  const { journalId } = await find(deps, caller, asked)
  const list = `journal of ${asked.kind} ${journalId}`
  const limit = limitOf(asked)
  // no more than Postgres' integer columns hold
  const before = readCursor(asked.cursor, z.tuple([z.literal(list), z.int32().nonnegative()]))?.[1]
  const rows = await journalBefore(deps.pool, { kind: asked.kind, id: journalId, before, limit: limit + 1 })
  return pageOf(rows, limit, { keyOf: (row) => [list, row.seq], shape: shapeEntry })
}
