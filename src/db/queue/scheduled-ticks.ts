import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'

const Ticked = z.object({ now: z.date(), entry: z.string().nullable(), last_tick_at: z.date().nullable() })

/**
 * When each entry of the schedule last ticked, and the time by the database: the clocks of two instances may differ, and both
 * use this one.
 */
export const ticksSoFar = async (db: Reader): Promise<{ now: Date; ticks: Map<string, Date> }> => {
  const rows = await db.any(sql.type(Ticked)`
    select n.now, t.entry, t.last_tick_at from (select now()) n left join scheduled_ticks t on true`)
  const ticks = rows.flatMap(({ entry, last_tick_at }) =>
    entry === null || last_tick_at === null ? [] : [[entry, last_tick_at] as const],
  )
  return { now: rows[0]?.now ?? new Date(0), ticks: new Map(ticks) }
}

/**
 * Notes that an entry ticked; false if that tick, or a later one, was noted before. `ahead` is later than any tick can be: a
 * later time was noted by a clock that has been put back since, and does not count.
 */
export const noteTick = async (tx: Tx, entry: string, at: Date, ahead: Date): Promise<boolean> => {
  const { rowCount } = await tx.query(sql.type(nothing)`
    insert into scheduled_ticks as t (entry, last_tick_at) values (${entry}, ${at.toISOString()})
    on conflict (entry) do update set last_tick_at = excluded.last_tick_at
      where t.last_tick_at < excluded.last_tick_at or t.last_tick_at > ${ahead.toISOString()}`)
  return rowCount === 1
}
