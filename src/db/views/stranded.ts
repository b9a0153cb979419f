import { z } from 'zod'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'

const Dispatch = z.object({ id: z.string(), installation_id: z.number() })
const Wave = z.object({ run_id: z.string(), wave: z.number().nullable(), installation_id: z.number() })

const noJob = (kind: string, key: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  not exists (select 1 from jobs j where j.state = 'queued' and j.kind = ${kind} and j.key = ${key})
  and not exists (select 1 from jobs j where j.state = 'running' and j.kind = ${kind} and j.key = ${key})`

/** Dispatches that wait to be sent, and that no job is there for: theirs was buried. */
export const strandedDispatches = (db: Reader, before: Date): Promise<readonly z.infer<typeof Dispatch>[]> =>
  db.any(sql.type(Dispatch)`
    select d.id, p.installation_id
    from dispatches d join runs r on r.id = d.run_id join repositories p on p.id = r.repo_id
    where d.state = 'requested' and d.created_at < ${before.toISOString()}
      and ${noJob('send_dispatch', sql.fragment`d.id::text`)}
    order by d.created_at, d.id`)

/** Waves that are out by their run and that were never made dispatches of; of a plan run without a number, as it goes out whole. */
export const strandedWaves = (db: Reader, before: Date): Promise<readonly z.infer<typeof Wave>[]> =>
  db.any(sql.type(Wave)`
    select r.id as run_id, w.wave, p.installation_id
    from runs r join repositories p on p.id = r.repo_id
    cross join lateral (select case when r.mode = 'apply' then r.current_wave end as wave) w
    where r.status in ('planning', 'applying')
      and r.trigger not in ('manual', 'pull_request') and r.started_at < ${before.toISOString()}
      and not exists (select 1 from dispatches d where d.run_id = r.id and d.wave = coalesce(w.wave, 0))
      and ${noJob('dispatch_wave', sql.fragment`r.id || ' ' || coalesce(w.wave::text, 'all')`)}
    order by r.started_at, r.id`)

const Plan = z.object({ repo_id: z.number() })

/** Repositories that are to be planned because of applies elsewhere, and that neither a job nor a former plan's end is there for. */
export const strandedPlans = (db: Reader, before: Date): Promise<readonly z.infer<typeof Plan>[]> =>
  db.any(sql.type(Plan)`
    select distinct c.repo_id from cross_repo_plans c join runs u on u.id = c.upstream_run_id
    where c.run_id is null and u.finished_at < ${before.toISOString()}
      and ${noJob('cross_repo_plan', sql.fragment`'of ' || c.repo_id`)}
      and not exists (
        select 1 from runs r where r.repo_id = c.repo_id and r.mode = 'plan' and r.trigger = 'push'
          and r.status in ('pending', 'planning'))
    order by c.repo_id`)
