import { z } from 'zod'
import { sql, type Tx } from './sql.ts'

const TimerRow = z.object({
  kind: z.enum(['run', 'stack', 'lock', 'dispatch']),
  id: z.string(),
  name: z.string(),
  event: z.looseObject({ type: z.string() }),
  due_at: z.date(),
})

/** A delayed transition: the event that a machine gets when it is due. */
export type TimerRow = z.infer<typeof TimerRow>

export const setTimers = async (tx: Tx, rows: TimerRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into timers (kind, id, name, event, due_at)
    select * from ${sql.unnest(
      rows.map((row) => [row.kind, row.id, row.name, JSON.stringify(row.event), row.due_at.toISOString()]),
      ['text', 'text', 'text', 'jsonb', 'timestamptz'],
    )}
    on conflict (kind, id, name) do update set event = excluded.event, due_at = excluded.due_at`)
}

export const cancelTimers = async (tx: Tx, rows: { kind: string; id: string; name: string }[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    delete from timers using ${sql.unnest(
      rows.map((row) => [row.kind, row.id, row.name]),
      ['text', 'text', 'text'],
    )} as t(kind, id, name)
    where timers.kind = t.kind and timers.id = t.id and timers.name = t.name`)
}

/** Timers that are due, earliest first. They are taken away by the transaction that delivers their event. */
export const dueTimers = (db: Tx, now: Date, limit: number): Promise<readonly TimerRow[]> =>
  db.any(sql.type(TimerRow)`
    delete from timers where (kind, id, name) in (
      select kind, id, name from timers where due_at <= ${now.toISOString()} order by due_at limit ${limit}
      for update skip locked)
    returning kind, id, name, event, due_at`)
