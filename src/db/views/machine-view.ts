import { z } from 'zod'
import { journalRowsOf } from '#db/machines/journal.ts'
import { snapshotColumns } from '#db/machines/snapshot-columns.ts'
import { stackSnapshot } from '#db/machines/stack-snapshot.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { ofRun, ofStack, within } from '../tenant.ts'
import { isThere, type Sight } from '../visibility.ts'

const MachineView = z.object({ installation_id: z.number(), ...snapshotColumns, updated_at: z.date() })

/** A machine's row with the time of its last transition. */
export type MachineView = z.infer<typeof MachineView>

/** Which machine: a run or dispatch by its id, a lock by its stack's, a stack of a run by both. */
export type MachineName =
  | { kind: 'run'; id: string }
  | { kind: 'dispatch'; id: string }
  | { kind: 'lock'; stackId: string }
  | { kind: 'stack'; runId: string; stackId: string }

const rowOf = (db: Reader, name: MachineName): FragmentSqlToken => {
  switch (name.kind) {
    case 'run':
      return sql.fragment`
        select installation_id, repo_id, snapshot, version, seq from runs where id = ${name.id}`
    case 'lock':
      return sql.fragment`
        select l.installation_id, l.repo_id, l.snapshot, l.version, l.seq from locks l
        where l.installation_id = ${ofStack(db, name.stackId)} and l.stack_id = ${name.stackId}`
    case 'dispatch':
      return sql.fragment`
        select d.installation_id, r.repo_id, d.snapshot, d.version, d.seq from dispatches d
          join runs r on r.installation_id = d.installation_id and r.id = d.run_id
        where d.id = ${name.id}`
    case 'stack':
      return sql.fragment`
        select s.installation_id, r.repo_id, ${stackSnapshot} as snapshot, s.version, s.seq from run_stacks s
          join runs r on r.installation_id = s.installation_id and r.id = s.run_id
        where s.installation_id = ${ofRun(db, name.runId)} and s.run_id = ${name.runId} and s.stack_id = ${name.stackId}`
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
    select m.installation_id, m.snapshot, m.version, m.seq, j.at as updated_at from (${rowOf(db, name)}) m
    cross join lateral (select at from ${journalRowsOf(db, { kind: name.kind, id: journalId })} and seq = m.seq) j
    where ${isThere(sight, sql.fragment`m.repo_id`)}`)) ?? undefined

const IdRow = z.object({ id: z.string() })

/** The run that a machine's rows are filed under; undefined for a lock, and for what the caller does not see. */
export const runOfMachine = async (db: Reader, sight: Sight, name: MachineName): Promise<string | undefined> => {
  if (name.kind === 'lock') return undefined
  const id = name.kind === 'stack' ? name.runId : name.id
  const run =
    name.kind === 'dispatch'
      ? sql.fragment`(
          select run_id from dispatches where ${within(db, sql.fragment`dispatches`)} and id = ${id})`
      : sql.fragment`${id}`
  const found = await db.maybeOne(sql.type(IdRow)`
    select id from runs r where ${within(db, sql.fragment`r`)} and id = ${run} and ${isThere(sight, sql.fragment`r.repo_id`)}`)
  return found?.id
}
