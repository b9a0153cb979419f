import { z } from 'zod'
import { type Reader, sql, type Tx } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const CheckRow = z.object({
  name: z.string(),
  status: z.enum(['pass', 'fail', 'warn']),
  summary: z.string().nullable(),
  details: z.string().nullable(),
  details_url: z.string().nullable(),
  updated_at: z.date(),
})

/** A named verdict on a stack of a run. */
export type CheckRow = z.infer<typeof CheckRow>

export type NewCheck = CheckRow & { run_id: string; stack_id: string }

/** Stores a verdict, in place of the earlier one with that name. The run is locked: the verdict changes what it shows. */
export const putCheck = async (tx: Tx, check: NewCheck): Promise<void> => {
  const owner = ofRun(tx, check.run_id)
  await tx.query(sql.type(z.object({}))`
    with raised as (update runs set rev = rev + 1 where installation_id = ${owner} and id = ${check.run_id} returning rev),
      stamped as (
        update run_stacks s set rev = raised.rev from raised
        where s.installation_id = ${owner} and s.run_id = ${check.run_id} and s.stack_id = ${check.stack_id})
    insert into checks (installation_id, run_id, stack_id, name, status, summary, details, details_url, updated_at)
    values (${owner}, ${check.run_id}, ${check.stack_id}, ${check.name}, ${check.status}, ${check.summary}, ${check.details},
      ${check.details_url}, ${check.updated_at.toISOString()})
    on conflict (installation_id, run_id, stack_id, name) do update set status = excluded.status, summary = excluded.summary,
      details = excluded.details, details_url = excluded.details_url, updated_at = excluded.updated_at`)
}

export const findCheck = async (
  db: Reader,
  runId: string,
  stackId: string,
  name: string,
): Promise<CheckRow | undefined> =>
  (await db.maybeOne(sql.type(CheckRow)`
    select name, status, summary, details, details_url, updated_at from checks
    where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and stack_id = ${stackId} and name = ${name}`)) ??
  undefined
