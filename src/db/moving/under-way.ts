import { z } from 'zod'
import { openStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../sql.ts'

const UnderWay = z.object({ what: z.string(), count: z.number(), example: z.string() })

/** What of an installation goes on, with how much of it there is and one example. */
export type UnderWay = z.infer<typeof UnderWay>

/** Why an installation cannot be moved now: what one service has begun no other can end. */
export const underWay = (db: Reader, installationId: number): Promise<readonly UnderWay[]> =>
  db.any(sql.type(UnderWay)`
    select what, count(*) as count, min(example) as example from (
      select 'runs that are not over' as what, 'run ' || id as example from runs
        where installation_id = ${installationId} and status in ${literals(openStatuses)}
      union all select 'dispatches under way', 'dispatch ' || id from dispatches
        where installation_id = ${installationId} and state in ('requested', 'refused', 'awaiting', 'bound')
      union all select 'jobs in the queue', kind || coalesce(' ' || key, '') from jobs
        where state in ('queued', 'running') and (installation_id = ${installationId}
          -- nobody's jobs, but texts of its runs
          or kind = 'store_plans' and key in (select id::text from runs where installation_id = ${installationId}))) u
    group by what order by what desc`)
