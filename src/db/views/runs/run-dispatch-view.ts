import { z } from 'zod'
import { isoText } from '../../moment.ts'
import { type Reader, sql } from '../../sql.ts'
import { ofRun } from '../../tenant.ts'

const RunDispatch = z.object({
  id: z.string(),
  repo: z.string(),
  wave: z.number(),
  part: z.number(),
  state: z.enum(['requested', 'refused', 'awaiting', 'bound', 'lost', 'completed']),
  keys: z.array(z.string()),
  workflow_run_id: z.number().nullable(),
  workflow_run_attempt: z.number().nullable(),
  refusals: z.number(),
  /** What the code host last said. */
  message: z.string().nullable(),
  created_at: z.date(),
  sent_at: z.date().nullable(),
  bound_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  timers: z.array(z.object({ name: z.string(), event: z.string(), due_at: z.string() })),
})

/** A dispatch of a run with its moments, which its journal has, and what it waits for. */
export type RunDispatch = z.infer<typeof RunDispatch>

/** A place in the list: wave and part. */
export type DispatchPlace = { wave: number; part: number }

/** The dispatches of a run by wave and part. `bound_at` is of the present attempt: each of its jobs says that it begins. */
export const dispatchesOfRun = (
  db: Reader,
  { runId, after, limit }: { runId: string; after: DispatchPlace | undefined; limit: number },
): Promise<readonly RunDispatch[]> =>
  db.any(sql.type(RunDispatch)`
    select d.id, p.full_name as repo, d.wave, d.part, d.state, d.workflow_run_id, d.workflow_run_attempt, d.created_at,
      (d.snapshot->'context'->>'refusals')::int4 as refusals, d.snapshot->'context'->>'message' as message,
      array(select s.key from run_stacks s where s.installation_id = d.installation_id and s.run_id = d.run_id
        and s.stack_id = any(d.stack_ids) order by s.key) as keys,
      j.sent_at, j.bound_at, j.ended_at, coalesce(t.timers, '[]') as timers
    from dispatches d join runs r on r.installation_id = d.installation_id and r.id = d.run_id join repositories p on p.id = r.repo_id
    left join lateral (
      select min(at) filter (where event->>'type' = 'dispatch.sent') as sent_at,
        min(at) filter (where event->>'type' = 'workflow.bound'
          and (event->>'attempt')::int4 = d.workflow_run_attempt) as bound_at,
        max(at) filter (where state_to = d.state and state_to in ('lost', 'completed')) as ended_at
      from journal where installation_id = d.installation_id and run_id = d.run_id and subject_id = d.id) j on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('name', name, 'event', event->>'type',
        'due_at', ${isoText(sql.fragment`due_at`)}) order by due_at, name) as timers
      from timers where installation_id = d.installation_id and kind = 'dispatch' and id = d.id::text) t on true
    where d.installation_id = ${ofRun(db, runId)} and d.run_id = ${runId}
      ${after ? sql.fragment`and (d.wave, d.part) > (${after.wave}::int4, ${after.part}::int4)` : sql.fragment``}
    order by d.wave, d.part limit ${limit}`)
