import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { heldStates } from '#domain/lock-state.ts'
import { lostReasons } from '#domain/lost-reason.ts'
import { type Reader, sql } from '../../sql.ts'
import { ofRun } from '../../tenant.ts'

const RunStackDetail = z.object({
  stack_id: z.string(),
  /** The plan run that an apply goes by. */
  plan_run_id: z.string().nullable(),
  /** Why nobody will report it any more. */
  lost: z.enum(lostReasons).nullable(),
  /** The last dispatch that was to run it. */
  dispatch_id: z.string().nullable(),
  lock_state: z.enum(heldStates).nullable(),
})

/** What belongs to a stack of a run besides its row's own facts. Apart from those: a result that is reported is answered without. */
export type RunStackDetail = z.infer<typeof RunStackDetail>

/** Those of some stacks of a run, by stack id; the dispatches of the run are read once, and not once a stack. */
export const runStackDetails = async (
  db: Reader,
  runId: string,
  stackIds: readonly string[],
): Promise<Map<string, RunStackDetail>> => {
  const rows = await db.any(sql.type(RunStackDetail)`
    select s.stack_id, s.plan_run_id, s.lost, d.id as dispatch_id, l.state as lock_state
    from run_stacks s
    left join (
      select distinct on (x.stack_id) x.stack_id, d.id from dispatches d cross join unnest(d.stack_ids) as x(stack_id)
      where d.installation_id = ${ofRun(db, runId)} and d.run_id = ${runId}
      order by x.stack_id, d.created_at desc, d.id) d on d.stack_id = s.stack_id
    left join locks l on l.installation_id = s.installation_id and l.stack_id = s.stack_id and ${isHeld(sql.fragment`l`)}
    where s.installation_id = ${ofRun(db, runId)} and s.run_id = ${runId} and s.stack_id = any(${sql.array([...stackIds], 'uuid')})`)
  return new Map(rows.map((row) => [row.stack_id, row]))
}
