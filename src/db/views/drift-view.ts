import { z } from 'zod'
import { Summary } from '#domain/plan-summary.ts'
import { stackStatuses } from '#domain/run-status.ts'
import { exactly, type Moment } from '../moment.ts'
import { type Reader, sql } from '../sql.ts'
import { ofStack } from '../tenant.ts'
import { archivedToo, resultArchivedToo } from './archived-too.ts'

const DriftCheckView = z.object({
  run_id: z.string(),
  checked_at: z.string(),
  drifted: z.boolean().nullable(),
  status: z.enum(stackStatuses),
  summary: Summary.nullable(),
  job_url: z.string().nullable(),
})

/** A check of a stack; `checked_at` to the last digit, since the next page continues from it. */
export type DriftCheckView = z.infer<typeof DriftCheckView>

/** What drift runs found of a stack, newest first. */
export const listDriftChecks = (
  db: Reader,
  { stackId, after, limit }: { stackId: string; after: Moment | undefined; limit: number },
): Promise<readonly DriftCheckView[]> =>
  db.any(sql.type(DriftCheckView)`
    select d.run_id, ${exactly(sql.fragment`d.checked_at`)} as checked_at, d.drifted, x.status,
      case when d.drifted then t.body->'summary' end as summary, t.body->>'job_url' as job_url
    from (
      select installation_id, stack_id, run_id, drifted, checked_at from drift_checks
      where installation_id = ${ofStack(db, stackId)} and stack_id = ${stackId}
        ${after ? sql.fragment`and (checked_at, run_id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql.fragment``}
      order by checked_at desc, run_id desc limit ${limit}) d
    -- one by one: for a large page, Postgres may prefer a join that walks over all rows
    cross join lateral (${archivedToo(sql.fragment`d`)}) x
    left join lateral (${resultArchivedToo(sql.fragment`d`)}) t on true
    order by d.checked_at desc, d.run_id desc`)
