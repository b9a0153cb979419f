import { z } from 'zod'
import { nothing, type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const CheckRunRow = z.object({ name: z.string(), check_run_id: z.number(), digest: z.string() })

/** A check run that was created on the code host for a run, and the digest of its content. */
export type CheckRunRow = z.infer<typeof CheckRunRow>

export const checkRunsOf = async (db: Reader, runId: string): Promise<Map<string, CheckRunRow>> => {
  const rows = await db.any(sql.type(CheckRunRow)`
    select name, check_run_id, digest from check_runs where installation_id = ${ofRun(db, runId)} and run_id = ${runId}`)
  return new Map(rows.map((row) => [row.name, row]))
}

/**
 * Remembers it, under the lock that a move of the repository waits for (move-repository.ts). Nothing is remembered for a worker
 * whose installation no longer has the run: rows left behind would meet the same of the run when it comes back. The next one
 * finds the check run on the code host.
 */
export const putCheckRun = async (db: Reader, runId: string, row: CheckRunRow): Promise<void> => {
  await db.query(sql.type(nothing)`
    with run as (
      select installation_id, id from runs where installation_id = ${ofRun(db, runId)} and id = ${runId} for share)
    insert into check_runs (installation_id, run_id, name, check_run_id, digest)
    select installation_id, id, ${row.name}, ${row.check_run_id}::int8, ${row.digest} from run
    on conflict (installation_id, run_id, name) do update set check_run_id = excluded.check_run_id, digest = excluded.digest`)
}
