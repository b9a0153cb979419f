import { z } from 'zod'
import type { Budget, Spent } from '#domain/content-budget.ts'
import { weightOfLastMinute } from '#domain/content-budget.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'

const Minutes = z.array(z.object({ minute: z.number(), writes: z.number() }))

/** The minutes of an installation's last hour, as `minute` and `writes`. */
const lastHour = (installationId: number, minute: FragmentSqlToken): FragmentSqlToken => sql.fragment`
      select minute, writes from content_writes
      where installation_id = ${installationId} and minute > ${minute} - interval '1 hour' and minute <= ${minute}`

const minuteOf = (at: Date): FragmentSqlToken => sql.fragment`date_trunc('minute', ${at.toISOString()}::timestamptz)`

/** Of all that were selected so. */
const asSpent = sql.fragment`
  coalesce(jsonb_agg(jsonb_build_object('minute', extract(epoch from minute), 'writes', writes)), '[]')`

const Taken = z.object({ taken: z.boolean(), spent: Minutes })

/**
 * Takes one write out of an installation's budget, if there is one left. All processes share the budget, of the sliding minute
 * and of the hour. Returns what was spent, for the caller to work out when there is room again. Also removes old minutes.
 */
export const takeWrite = (
  db: Reader,
  { installationId, at, budget }: { installationId: number; at: Date; budget: Budget },
): Promise<{ taken: boolean; spent: Spent }> => {
  const minute = minuteOf(at)
  return db.one(sql.type(Taken)`
    with minutes as (${lastHour(installationId, minute)}), room as (
      select least(
        ${budget.perMinute} - ceil(${weightOfLastMinute(+at / 1000)}::float8 * coalesce(
          (select writes from minutes where minute = ${minute} - interval '1 minute'), 0)),
        ${budget.perHour} - coalesce((select sum(writes) from minutes where minute < ${minute}), 0)) as writes
    ), taken as (
      insert into content_writes as w (installation_id, minute, writes)
      select ${installationId}, ${minute}, 1 from room where room.writes >= 1
      on conflict (installation_id, minute) do update set writes = w.writes + 1
        where w.writes < (select room.writes from room)
      returning 1
    ), cleared as (
      delete from content_writes
      where installation_id = ${installationId} and minute <= ${minute} - interval '1 hour'
    )
    select exists (select from taken) as taken, (select ${asSpent} from minutes) as spent`)
}

const Written = z.object({ spent: Minutes })

/** What an installation has written in the hour before, by minute. */
export const writesOf = async (
  db: Reader,
  { installationId, at }: { installationId: number; at: Date },
): Promise<Spent> => {
  const { spent } = await db.one(sql.type(Written)`
    select ${asSpent} as spent from (${lastHour(installationId, minuteOf(at))}) minutes`)
  return spent
}
