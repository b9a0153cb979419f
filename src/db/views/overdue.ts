import { z } from 'zod'
import { openPlanStatuses, underWayStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../sql.ts'

/*
 * What a job should have done before a time. The job may still be working on it: the queue knows that.
 */

const Dispatch = z.object({ id: z.string(), installation_id: z.number() })
const Wave = z.object({ run_id: z.string(), wave: z.number().nullable(), installation_id: z.number() })

/** Dispatches that wait to be sent. */
export const overdueDispatches = (db: Reader, before: Date): Promise<readonly z.infer<typeof Dispatch>[]> =>
  db.any(sql.type(Dispatch)`
    select d.id, d.installation_id from dispatches d
    where d.state = 'requested' and d.created_at < ${before.toISOString()}
    order by d.created_at, d.id`)

/**
 * Waves that have started in their run but have no dispatches; a plan run has no wave number here, as it is sent whole. A wave that a window holds
 * has not: its stacks still wait.
 */
export const overdueWaves = (db: Reader, before: Date): Promise<readonly z.infer<typeof Wave>[]> =>
  db.any(sql.type(Wave)`
    select r.id as run_id, w.wave, r.installation_id from runs r
    cross join lateral (select case when r.mode = 'apply' then r.current_wave end as wave) w
    where r.status in ${literals(underWayStatuses)}
      and r.trigger not in ('manual', 'pull_request') and r.started_at < ${before.toISOString()}
      and not exists (select 1 from dispatches d where d.installation_id = r.installation_id and d.run_id = r.id
        and d.wave = coalesce(w.wave, 0))
      and exists (select 1 from run_stacks s where s.installation_id = r.installation_id and s.run_id = r.id
        and (w.wave is null or s.wave = w.wave) and s.status in ${literals(underWayStatuses)})
    order by r.started_at, r.id`)

const Plan = z.object({ repo_id: z.number(), installation_id: z.number(), since: z.date() })

/**
 * Repositories to plan because of applies elsewhere, without a plan under way: the end of an open plan starts the next. With the end
 * of the newest apply.
 */
export const overduePlans = (db: Reader, before: Date): Promise<readonly z.infer<typeof Plan>[]> =>
  db.any(sql.type(Plan)`
    select c.repo_id, c.installation_id, max(u.finished_at) as since
    from cross_repo_plans c join runs u on u.id = c.upstream_run_id
    where c.run_id is null and u.finished_at < ${before.toISOString()}
      and not exists (
        select 1 from runs r where r.installation_id = c.installation_id and r.repo_id = c.repo_id and r.mode = 'plan'
          and r.trigger = 'push'
          and r.status in ${literals(openPlanStatuses)})
    group by c.repo_id, c.installation_id
    order by c.repo_id`)
