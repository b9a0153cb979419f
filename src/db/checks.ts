import { z } from 'zod'
import { type Reader, sql, type Tx } from './sql.ts'

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

export type NewCheck = Omit<CheckRow, 'updated_at'> & { runId: string; stackId: string; at: Date }

/** Stores a verdict in the place of the earlier one of that name. */
export const putCheck = async (tx: Tx, check: NewCheck): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    insert into checks (run_id, stack_id, name, status, summary, details, details_url, updated_at)
    values (${check.runId}, ${check.stackId}, ${check.name}, ${check.status}, ${check.summary}, ${check.details},
      ${check.details_url}, ${check.at.toISOString()})
    on conflict (run_id, stack_id, name) do update set status = excluded.status, summary = excluded.summary,
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
    where run_id = ${runId} and stack_id = ${stackId} and name = ${name}`)) ?? undefined
