import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { openStatuses } from '#domain/run-status.ts'
import { isOutOfSight } from '../out-of-sight.ts'
import { literals, type Reader, sql } from '../sql.ts'
import { isOfMonth } from './partitions.ts'

const Reason = z.object({
  reason: z.string(),
  runs: z.number(),
  example: z.string(),
  /** The repository of the example, owner/name; null if there is no such run any more. */
  repo: z.string().nullable(),
})

/** Why a month must stay: what of it a machine may still need, with how many runs and one of them. */
export type ReasonToWait = z.infer<typeof Reason>

const uuid = sql.fragment`'^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'`

/**
 * Each look is at what is open, which is little, and not at the month. Locks of accounts and repositories that were removed, suspended or
 * moved to another service before `gone` are no reason: nobody can release them here, and a lock needs no row of its run.
 */
export const reasonsToWait = (
  db: Reader,
  { month, gone }: { month: string; gone: Date },
): Promise<readonly ReasonToWait[]> =>
  db.any(sql.type(Reason)`
    select g.*, (select p.full_name from runs r join repositories p on p.id = r.repo_id where r.id = g.example::uuid) as repo from (
    select reason, count(distinct run_id) as runs, min(run_id::text) as example from (
      select 'a run is not over' as reason, id as run_id from runs
        where ${isOfMonth(month, sql.fragment`id`)} and status in ${literals(openStatuses)}
      union all select 'a lock is held', l.run_id from locks l
        where ${isOfMonth(month, sql.fragment`l.run_id`)} and ${isHeld(sql.fragment`l`)}
          and not ${isOutOfSight(sql.fragment`l.repo_id`, gone)}
      union all select 'a timer is set', coalesce(d.run_id, t.run_id) from (
          select installation_id, kind, substring(id from ${uuid})::uuid as run_id from timers where kind in ('run', 'stack', 'dispatch')) t
        left join dispatches d on t.kind = 'dispatch' and d.installation_id = t.installation_id and d.id = t.run_id
        where ${isOfMonth(month, sql.fragment`coalesce(d.run_id, t.run_id)`)}
      union all select 'a dispatch is under way', run_id from dispatches
        where ${isOfMonth(month)} and state in ('requested', 'refused', 'awaiting', 'bound')
      union all select 'a job waits', (payload->>'run_id')::uuid from jobs
        where state in ('queued', 'running') and queue = 'jobs' and payload->>'run_id' ~ ${uuid}
          and ${isOfMonth(month, sql.fragment`(payload->>'run_id')::uuid`)}
      union all select 'what depends on it is not planned yet', upstream_run_id from cross_repo_plans
        where ${isOfMonth(month, sql.fragment`upstream_run_id`)} and run_id is null) w
    group by reason) g order by reason`)
