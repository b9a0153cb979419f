import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { type TenantTx, within } from '../tenant.ts'

const TimerRow = z.object({
  installation_id: z.number(),
  kind: z.enum(['run', 'stack', 'lock', 'dispatch']),
  id: z.string(),
  name: z.string(),
  event: z.looseObject({ type: z.string() }),
  due_at: z.date(),
})

/** A delayed transition: the event that a machine gets when it is due. */
export type TimerRow = z.infer<typeof TimerRow>

/** A change of a machine's timer, by name: sets it, or cancels it if nothing is set. */
export type TimerChange = {
  kind: string
  id: string
  name: string
  set?: { event: { type: string }; due_at: Date }
}

/** Sets and cancels timers; each may be named once. */
export const changeTimers = async (tx: TenantTx, changes: TimerChange[]): Promise<void> => {
  const set = changes.flatMap(({ kind, id, name, set }) => (set ? [{ kind, id, name, ...set }] : []))
  const cancelled = changes.filter((change) => !change.set)
  if (set.length > 0) await setTimers(tx, set)
  if (cancelled.length > 0) await cancelTimers(tx, cancelled)
}

type SetTimer = { kind: string; id: string; name: string; event: { type: string }; due_at: Date }

const setTimers = async (tx: TenantTx, rows: SetTimer[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    insert into timers (installation_id, kind, id, name, event, due_at)
    select ${tx.installationId}::int8, t.* from ${sql.unnest(
      rows.map((row) => [row.kind, row.id, row.name, JSON.stringify(row.event), row.due_at.toISOString()]),
      ['text', 'text', 'text', 'jsonb', 'timestamptz'],
    )} t
    on conflict (installation_id, kind, id, name) do update set event = excluded.event, due_at = excluded.due_at`)
}

const cancelTimers = async (tx: TenantTx, rows: { kind: string; id: string; name: string }[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    delete from timers using ${unnested(rows)}
    where timers.installation_id = ${tx.installationId} and timers.kind = t.kind and timers.id = t.id
      and timers.name = t.name`)
}

/** Timers that are due, earliest first. */
export const dueTimers = (db: Reader, now: Date, limit: number): Promise<readonly TimerRow[]> =>
  db.any(sql.type(TimerRow)`
    select installation_id, kind, id, name, event, due_at from timers where due_at <= ${now.toISOString()}
    order by due_at, kind, id, name limit ${limit}`)

/** What a machine waits for, earliest first. */
export const timersOf = (db: Reader, kind: string, id: string): Promise<readonly TimerRow[]> =>
  db.any(sql.type(TimerRow)`
    select installation_id, kind, id, name, event, due_at from timers where ${within(db, sql.fragment`timers`)} and kind = ${kind}
      and id = ${id} order by due_at, name`)

type TimerName = Pick<TimerRow, 'kind' | 'id' | 'name'>

/** Removes the given timers that are still due, and returns them, earliest first. */
export const takeTimers = async (tx: Tx, names: readonly TimerName[], now: Date): Promise<TimerRow[]> => {
  const rows = await tx.any(sql.type(TimerRow)`
    delete from timers using ${unnested(names)}
    where ${within(tx, sql.fragment`timers`)} and timers.kind = t.kind and timers.id = t.id and timers.name = t.name
      and due_at <= ${now.toISOString()}
    returning timers.installation_id, timers.kind, timers.id, timers.name, timers.event, timers.due_at`)
  return [...rows].sort((a, b) => +a.due_at - +b.due_at)
}

/** Makes a timer ring later; if it was set again meanwhile, it stays as it is. */
export const putOffTimer = async (db: Reader, timer: TimerRow, until: Date): Promise<void> => {
  await db.query(sql.type(nothing)`
    update timers set due_at = ${until.toISOString()}
    where installation_id = ${timer.installation_id} and kind = ${timer.kind} and id = ${timer.id} and name = ${timer.name}
      and due_at = ${timer.due_at.toISOString()}`)
}

const unnested = (names: readonly { kind: string; id: string; name: string }[]) =>
  sql.fragment`${sql.unnest(
    names.map((timer) => [timer.kind, timer.id, timer.name]),
    ['text', 'text', 'text'],
  )} as t(kind, id, name)`
