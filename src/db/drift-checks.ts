import { z } from 'zod'
import { jsonRows, sql, type Tx } from './sql.ts'

export type DriftCheck = { runId: string; stackId: string; drifted: boolean; at: Date }

/** Notes what drift runs found of stacks; of several checks of a stack the newest counts, in whatever order they end. */
export const noteDriftChecks = async (tx: Tx, checks: readonly DriftCheck[]): Promise<void> => {
  if (checks.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into drift_checks as d (stack_id, repo_id, run_id, drifted, checked_at)
    select distinct on (s.id) s.id, s.repo_id, t."runId", t.drifted, t.at
    from jsonb_to_recordset(${jsonRows(checks)}) as t("runId" uuid, "stackId" uuid, drifted bool, at timestamptz)
    join stacks s on s.id = t."stackId"
    order by s.id, t.at desc
    on conflict (stack_id) do update set run_id = excluded.run_id, drifted = excluded.drifted,
      checked_at = excluded.checked_at
    where d.checked_at <= excluded.checked_at`)
}
