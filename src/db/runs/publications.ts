import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const Publication = z.object({ status: z.string(), more: z.boolean() })

/**
 * Begins to publish a run: what changes from now on is published `everyMs` later at the earliest, or by a job that does not keep
 * that pace. Waits for the transaction that has the run locked: it may have found this job waiting before it was taken, and so
 * have left no other (jobs.ts); what it changed is read after this. `more`: the run has more than so many stacks.
 */
export const beginPublication = async (
  db: Reader,
  { runId, everyMs, stacks }: { runId: string; everyMs: number; stacks: number },
): Promise<z.infer<typeof Publication> | undefined> =>
  (await db.maybeOne(sql.type(Publication)`
    with run as (
      select installation_id, id, status from runs where installation_id = ${ofRun(db, runId)} and id = ${runId} for share),
      marked as (
        insert into publications as p (installation_id, run_id, next_at)
        select installation_id, id, clock_timestamp() + ${everyMs} * interval '1 ms' from run
        on conflict (installation_id, run_id) do update set next_at = excluded.next_at)
    select status, exists (
      select from run_stacks where installation_id = ${ofRun(db, runId)} and run_id = ${runId} offset ${stacks}) as more from run`)) ??
  undefined
