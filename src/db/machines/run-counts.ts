import { z } from 'zod'
import { type FragmentSqlToken, jsonRows, type Reader, sql } from '../sql.ts'
import type { Tenant } from '../tenant.ts'

/*
 * How many runs there are by repository and status. Changes are rows of their own, or runs of one repository would wait for
 * each other. They are folded into `run_counts` now and then, and added on reading until then.
 */

/** What transitions change in the counts, as a part of the statement that stores a batch: it sees the statuses from before. */
export const runsCounted = (
  runs: { id: string; status: string }[],
  { installationId }: Tenant,
): FragmentSqlToken => sql.fragment`
    insert into run_count_changes (installation_id, repo_id, status, change)
    select r.installation_id, r.repo_id, c.status, c.change
    from jsonb_to_recordset(${jsonRows(runs.map(({ id, status }) => ({ id, status })))}) as t(id uuid, status text)
    join runs r on r.installation_id = ${installationId} and r.id = t.id and r.status <> t.status
    cross join lateral (values (r.status, -1), (t.status, 1)) as c(status, change)`

/** Folds the changes so far into the counts. Several at once do no harm: each removes what it adds. */
export const foldRunCounts = async (db: Reader): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    with gone as (delete from run_count_changes returning installation_id, repo_id, status, change)
    insert into run_counts as c (installation_id, repo_id, status, runs)
    select installation_id, repo_id, status, sum(change) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (installation_id, repo_id, status) do update set runs = c.runs + excluded.runs`)
}
