import { z } from 'zod'
import { Summary } from '#domain/plan-summary.ts'
import { type Reader, sql } from '../sql.ts'
import { within } from '../tenant.ts'

const StackDrift = z.object({
  id: z.string(),
  repo_id: z.number(),
  key: z.string(),
  listed: z.boolean(),
  /** Whether the default branch's configuration asks for issues. */
  issues: z.boolean(),
  drifted: z.boolean(),
  drifted_since: z.date().nullable(),
  checked_at: z.date(),
  run_id: z.string(),
  summary: Summary.nullable(),
})

/** The drift of a stack by its newest conclusive check: what its issue is written from. */
export type StackDrift = z.infer<typeof StackDrift>

export const findStackDrift = async (db: Reader, stackId: string): Promise<StackDrift | undefined> =>
  (await db.maybeOne(sql.type(StackDrift)`
    select s.id, s.repo_id, s.key, s.listed, r.drift_issues as issues, d.drifted, d.drifted_since, d.checked_at, d.run_id,
      t.body->'summary' as summary
    from stacks s join repositories r on r.id = s.repo_id 
    join drift_states d on d.installation_id = s.installation_id and d.stack_id = s.id
    left join results t on t.installation_id = s.installation_id and t.run_id = d.run_id and t.stack_id = d.stack_id
    where ${within(db, sql.fragment`s`)} and s.id = ${stackId}`)) ?? undefined
