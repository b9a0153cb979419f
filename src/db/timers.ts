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

/** A timer of a machine by its name: set, or cancelled where nothing is set. */
export type TimerChange = {
  kind: string
  id: string
  name: string
  set?: { event: { type: string }; due_at: Date }
}

/** Sets and cancels timers, each of them named once. */
export const changeTimers = async (tx: Tx, changes: TimerChange[]): Promise<void> => {
  const set = changes.flatMap(({ kind, id, name, set }) => (set ? [{ kind, id, name, ...set }] : []))
  const cancelled = changes.filter((change) => !change.set)
  if (set.length > 0) await setTimers(tx, set)
  if (cancelled.length > 0) await cancelTimers(tx, cancelled)
}

type SetTimer = { kind: string; id: string; name: string; event: { type: string }; due_at: Date }

const setTimers = async (tx: Tx, rows: SetTimer[]): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    insert into timers (kind, id, name, event, due_at)
    select * from ${sql.unnest(
      rows.map((row) => [row.kind, row.id, row.name, JSON.stringify(row.event), row.due_at.toISOString()]),
      ['text', 'text', 'text', 'jsonb', 'timestamptz'],
    )}
    on conflict (kind, id, name) do update set event = excluded.event, due_at = excluded.due_at`)
}

const cancelTimers = async (tx: Tx, rows: { kind: string; id: string; name: string }[]): Promise<void> => {
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
