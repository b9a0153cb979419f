import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRun, ofRuns } from '../tenant.ts'

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
  await tx.query(sql.type(nothing)`
    with raised as (update runs set rev = rev + 1 where installation_id = ${owner} and id = ${check.run_id} returning rev),
      stamped as (
        update run_stacks s set rev = raised.rev from raised
        where s.installation_id = ${owner} and s.run_id = ${check.run_id} and s.stack_id = ${check.stack_id})
    insert into checks (installation_id, run_id, stack_id, name, status, summary, details, details_url, updated_at)
    values (${owner}, ${check.run_id}, ${check.stack_id}, ${check.name}, ${check.status}, ${check.summary}, ${check.details},
      ${check.details_url}, ${check.updated_at.toISOString()})
    on conflict (installation_id, run_id, stack_id, name) do update set status = excluded.status, summary = excluded.summary,
      details = excluded.details, details_url = excluded.details_url, updated_at = excluded.updated_at, waived_by = null`)
}

export type WaivedCheck = { run_id: string; stack_id: string; name: string; waived_by: string }

/** Notes who waived failed verdicts. Their runs are locked: it changes what they show. */
export const markWaived = async (tx: Tx, checks: readonly WaivedCheck[]): Promise<void> => {
  const owners = ofRuns(
    tx,
    checks.map((check) => check.run_id),
  )
  await tx.query(sql.type(nothing)`
    with waived as (
      select * from ${sql.unnest(
        checks.map((check) => [check.run_id, check.stack_id, check.name, check.waived_by]),
        ['uuid', 'uuid', 'text', 'text'],
      )} as w(run_id, stack_id, name, waived_by)),
      raised as (
        update runs set rev = rev + 1 where installation_id ${owners} and id in (select run_id from waived) returning id, rev),
      stamped as (
        update run_stacks s set rev = raised.rev from raised, waived w
        where s.installation_id ${owners} and s.run_id = raised.id and w.run_id = raised.id and s.stack_id = w.stack_id)
    update checks c set waived_by = w.waived_by from waived w
    where c.installation_id ${owners} and c.run_id = w.run_id and c.stack_id = w.stack_id and c.name = w.name and c.status = 'fail'`)
}

const CountRow = z.object({ count: z.number() })

/** How many verdicts of different names a stack of a run has. */
export const countChecks = async (db: Reader, runId: string, stackId: string): Promise<number> => {
  const { count } = await db.one(sql.type(CountRow)`
    select count(*) as count from checks
    where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and stack_id = ${stackId}`)
  return count
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
