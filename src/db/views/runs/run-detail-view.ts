import { z } from 'zod'
import { type Reader, sql } from '../../sql.ts'
import { within } from '../../tenant.ts'
import { fromRuns, RunView, runColumns } from './run-view.ts'

const RunDetail = RunView.extend({
  /** The newest of the plan runs that an apply goes by. */
  plan_run_id: z.string().nullable(),
  /** The newer commit; `run_id` once a run of it was there. */
  superseded_by: z.object({ sha: z.string(), run_id: z.string().nullish() }).nullable(),
  apply_mode: z.enum(['comment', 'on_merge', 'off']).nullable(),
})

/** A run with what its page says of where it comes from and what came after it; too much for a list. */
export type RunDetail = z.infer<typeof RunDetail>

const columns = sql.fragment`
  ${runColumns}, p.apply_mode,
  (select o.id from runs o
    where r.mode = 'apply' and o.installation_id = r.installation_id
      and o.id in (select s.plan_run_id from run_stacks s where s.installation_id = r.installation_id and s.run_id = r.id)
    order by o.created_at desc, o.id desc limit 1) as plan_run_id,
  (select by || jsonb_build_object('run_id', coalesce(by->>'run_id', (
      select n.id::text from runs n
      where n.installation_id = r.installation_id and n.repo_id = r.repo_id and n.pr_number = r.pr_number and n.mode = 'plan'
        and n.sha = by->>'sha'
        and n.created_at > r.created_at order by n.created_at limit 1)))
    from (select r.snapshot->'context'->'superseded_by' as by) x where by is not null) as superseded_by`

export const findRunDetail = async (db: Reader, id: string): Promise<RunDetail | undefined> =>
  (await db.maybeOne(sql.type(RunDetail)`
    select ${columns} ${fromRuns} where ${within(db, sql.fragment`r`)} and r.id = ${id}`)) ?? undefined
