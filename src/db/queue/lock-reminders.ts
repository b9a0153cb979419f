import { nothing, sql, type Tx } from '../sql.ts'
import { ofStacks } from '../tenant.ts'

/** Of a lock `l`: no timer will remind its holder. */
export const hasNoReminder = sql.fragment`
  not exists (select from timers t where t.installation_id = l.installation_id and t.kind = 'lock' and t.id = l.stack_id::text
    and t.name = 'reminder')`

/** Sets the reminders of these locks, as taking them did; the caller has locked them. Returns how many had none. */
export const remindAgain = async (tx: Tx, stackIds: string[], now: Date): Promise<number> => {
  const { rowCount } = await tx.query(sql.type(nothing)`
    insert into timers (installation_id, kind, id, name, event, due_at)
    select l.installation_id, 'lock', l.stack_id::text, 'reminder', '{"type": "reminder.due"}'::jsonb, greatest(${now.toISOString()}::timestamptz,
      l.taken_at + make_interval(secs => (l.snapshot->'context'->>'remind_after')::int))
    from locks l where l.installation_id ${ofStacks(tx, stackIds)} and l.stack_id = any(${sql.array(stackIds, 'uuid')})
      and l.run_id is not null and ${hasNoReminder}
    on conflict do nothing`)
  return rowCount
}
