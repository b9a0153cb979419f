import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import type { Pool } from '#db/sql.ts'
import { findMachine, type MachineName, type MachineView, runOfMachine } from '#db/views/machine-view.ts'
import { invalid, Problem } from '#errors.ts'
import { stackRowId } from '#runtime/address.ts'
import type { Kind } from '#runtime/inspect.ts'
import type { RequestDeps } from '../deps.ts'

/** A machine as a path names it. */
export type AskedMachine = { kind: Kind; id: string }

const Uuid = z.guid().toLowerCase()

const nameOf = ({ kind, id }: AskedMachine): MachineName => {
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

/** Its row, where it and its journal are read, and the id that these and its timers are under. 404 for one that is not there, or not for the caller. */
export const askedMachine = async (
  { pool, rowsOf }: Pick<RequestDeps, 'pool' | 'rowsOf'>,
  caller: PersonOrKey,
  asked: AskedMachine,
): Promise<{ view: MachineView; journalId: string; rows: Pool }> => {
  const name = nameOf(asked)
  const journalId = journalIdOf(name)
  const run = await runOfMachine(pool, sightOf(caller), name)
  const rows = run === undefined ? pool : (await rowsOf(run)).pool
  const view = await findMachine(rows, sightOf(caller), name, journalId)
  if (!view) throw new Problem('not_found', `there is no ${asked.kind} ${asked.id}`)
  return { view, journalId, rows }
}

/**
 * The digest of a reported result covers its plan text too, which is not kept if a stack's plan_output is summary: with the
 * digest one could test guesses at what a plan said.
 */
export const withoutDigest = ({ digest: _, ...rest }: Record<string, unknown>) => rest
