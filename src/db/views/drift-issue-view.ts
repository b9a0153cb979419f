import { z } from 'zod'
import { Summary } from '#domain/plan-summary.ts'
import { type Reader, sql } from '../sql.ts'
import { within } from '../tenant.ts'
import { resultArchivedToo } from './archived-too.ts'

const StackDrift = z.object({
  id: z.string(),
  repo_id: z.number(),
  key: z.string(),
  listed: z.boolean(),
  /** Whether the default branch's configuration asks for issues. */
  issues: z.boolean(),
  /** Whether the issues have the plan that would mend the drift. */
  plan: z.boolean(),
  drifted: z.boolean(),
  drifted_since: z.date().nullable(),
  checked_at: z.date(),
  run_id: z.string(),
  summary: Summary.nullable(),
  /** The whole plan text, or its beginning where a bucket has the whole. */
  plan_text: z.string().nullable(),
  is_cut: z.boolean().nullable(),
})

/** The drift of a stack by its newest conclusive check: what its issue is written from. */
export type StackDrift = z.infer<typeof StackDrift>

export const findStackDrift = async (db: Reader, stackId: string): Promise<StackDrift | undefined> =>
  (await db.maybeOne(sql.type(StackDrift)`
    select s.id, s.repo_id, s.key, s.listed, r.drift_issues as issues, r.drift_plan as plan, d.drifted, d.drifted_since, d.checked_at, d.run_id,
      t.body->'summary' as summary, case when r.drift_plan and d.drifted then t.plan_text end as plan_text,
      t.plan_url is not null and coalesce(octet_length(t.plan_text), 0) < t.plan_bytes as is_cut
    from stacks s join repositories r on r.id = s.repo_id
    join drift_states d on d.installation_id = s.installation_id and d.stack_id = s.id
    left join lateral (${resultArchivedToo(sql.fragment`d`)}) t on true
    where ${within(db, sql.fragment`s`)} and s.id = ${stackId}`)) ?? undefined
