import { type FragmentSqlToken, jsonRows, type Reader, sql } from '../sql.ts'
import type { Tenant } from '../tenant.ts'
import { foldStatusCounts } from './status-counts.ts'

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

export const foldRunCounts = (db: Reader): Promise<void> =>
  foldStatusCounts(db, { table: 'run_counts', column: 'runs', changes: 'run_count_changes' })
