import { z } from 'zod'
import { journalRowsOf } from '#db/machines/journal.ts'
import { snapshotColumns } from '#db/machines/snapshot-columns.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { isThere, type Sight } from '../visibility.ts'

const MachineView = z.object({ ...snapshotColumns, updated_at: z.date() })

/** A machine's row with the time of its last transition. */
export type MachineView = z.infer<typeof MachineView>

/** Which machine: a run or dispatch by its id, a lock by its stack's, a stack of a run by both. */
export type MachineName =
  | { kind: 'run'; id: string }
  | { kind: 'dispatch'; id: string }
  | { kind: 'lock'; stackId: string }
  | { kind: 'stack'; runId: string; stackId: string }

const rowOf = (name: MachineName): FragmentSqlToken => {
  switch (name.kind) {
    case 'run':
      return sql.fragment`select repo_id, snapshot, version, seq from runs where id = ${name.id}`
    case 'lock':
      return sql.fragment`
        select s.repo_id, l.snapshot, l.version, l.seq from locks l join stacks s on s.id = l.stack_id
        where l.stack_id = ${name.stackId}`
    case 'dispatch':
      return sql.fragment`
        select r.repo_id, d.snapshot, d.version, d.seq from dispatches d join runs r on r.id = d.run_id
        where d.id = ${name.id}`
    case 'stack':
      return sql.fragment`
        select r.repo_id, x.snapshot, x.version, x.seq from run_stacks x join runs r on r.id = x.run_id
        where x.run_id = ${name.runId} and x.stack_id = ${name.stackId}`
  }
}

/** A machine of a repository that the caller sees; `journalId` is its id in the journal. */
export const findMachine = async (
  db: Reader,
  sight: Sight,
  name: MachineName,
  journalId: string,
): Promise<MachineView | undefined> =>
  (await db.maybeOne(sql.type(MachineView)`
    select m.snapshot, m.version, m.seq, j.at as updated_at from (${rowOf(name)}) m
    cross join lateral (select at from ${journalRowsOf({ kind: name.kind, id: journalId })} and seq = m.seq) j
    where ${isThere(sight, sql.fragment`m.repo_id`)}`)) ?? undefined

/** The run that a machine's rows are filed under; undefined for a lock, and for what the caller does not see. */
export const runOfMachine = async (db: Reader, sight: Sight, name: MachineName): Promise<string | undefined> => {
  if (name.kind === 'lock') return undefined
  const id = name.kind === 'stack' ? name.runId : name.id
  const run =
    name.kind === 'dispatch' ? sql.fragment`(select run_id from dispatches where id = ${id})` : sql.fragment`${id}`
  const found = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    select id from runs r where id = ${run} and ${isThere(sight, sql.fragment`r.repo_id`)}`)
  return found?.id
}
