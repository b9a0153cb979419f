import { z } from 'zod'
import { jsonRows, sql } from '../sql.ts'
import type { TenantTx } from '../tenant.ts'
import { isAppliedSince, isChangedByHolder } from './changed-elsewhere.ts'

/** What a drift run found of a stack; `drifted` is null if the check was inconclusive. */
export type DriftCheck = { run_id: string; stack_id: string; drifted: boolean | null; checked_at: Date }

const NotedCheck = z.object({
  run_id: z.string(),
  stack_id: z.string(),
  key: z.string(),
  installation_id: z.number(),
  /** Nothing was noted: the stack changed during the check, and the checked commit does not have that change. */
  overtaken: z.boolean(),
  /** The job that keeps the stack's issue has something to do. */
  tells: z.boolean(),
})

export type NotedCheck = z.infer<typeof NotedCheck>

/**
 * Notes checks in the history, and the state of the stacks by them: of several checks of a stack, the check of the newest run
 * counts, in whatever order they end. Nothing is noted for a stack that changed after the run's commit was read.
 */
export const noteDriftChecks = async (tx: TenantTx, checks: readonly DriftCheck[]): Promise<readonly NotedCheck[]> => {
  if (checks.length === 0) return []
  return tx.any(sql.type(NotedCheck)`
    with given as materialized (
      select t.run_id, t.stack_id, s.repo_id, s.key, s.installation_id, t.drifted, t.checked_at,
        r.created_at, d.drifted is true as had_drifted, p.drift_issues,
        t.drifted is not null and (${isAppliedSince(sql.fragment`s`, sql.fragment`r.created_at`)} or exists (
          select 1 from locks l where l.installation_id = s.installation_id and l.stack_id = s.id and ${isChangedByHolder})) as overtaken
      from jsonb_to_recordset(${jsonRows(checks)}) as t(run_id uuid, stack_id uuid, drifted bool, checked_at timestamptz)
      join runs r on r.installation_id = ${tx.installationId} and r.id = t.run_id
      join stacks s on s.installation_id = ${tx.installationId} and s.id = t.stack_id join repositories p on p.id = s.repo_id
      left join drift_states d on d.installation_id = s.installation_id and d.stack_id = s.id
    ), history as (
      insert into drift_checks (installation_id, stack_id, run_id, drifted, checked_at)
      select installation_id, stack_id, run_id, drifted, checked_at from given where not overtaken
      order by stack_id, run_id
      on conflict (installation_id, stack_id, run_id) do update set drifted = excluded.drifted, checked_at = excluded.checked_at
    ), newest as (
      insert into drift_states as d (installation_id, stack_id, repo_id, run_id, drifted, checked_at, drifted_since)
      select distinct on (stack_id) installation_id, stack_id, repo_id, run_id, drifted, checked_at, case when drifted then checked_at end
      from given where not overtaken and drifted is not null
      order by stack_id, created_at desc, run_id desc
      on conflict (installation_id, stack_id) do update set run_id = excluded.run_id, drifted = excluded.drifted,
        checked_at = excluded.checked_at,
        drifted_since = case when excluded.drifted then coalesce(d.drifted_since, excluded.checked_at) end
      where (select created_at from runs where installation_id = d.installation_id and id = d.run_id)
        <= (select created_at from runs where installation_id = excluded.installation_id and id = excluded.run_id)
      returning stack_id, run_id
    )
    select g.run_id, g.stack_id, g.key, g.installation_id, g.overtaken,
      n.run_id is not null and g.drift_issues and (g.drifted or g.had_drifted or exists (
        select 1 from drift_issues i where i.installation_id = g.installation_id and i.stack_id = g.stack_id and i.state = 'open')) as tells
    from given g left join newest n on n.stack_id = g.stack_id and n.run_id = g.run_id
    order by g.run_id, g.key`)
}
