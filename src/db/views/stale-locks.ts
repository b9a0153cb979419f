import { z } from 'zod'
import { type Reader, sql, type Tx } from '../sql.ts'

/*
 * Locks that are held though nothing will free them, or that nobody will be reminded of. What follows from an event is
 * written in one transaction with it, so that there are none: but for what was never heard, and for a row that somebody
 * changed by hand. All of it is found by walking the locks that are held, in their own index.
 */

const StalePull = z.object({ repo_id: z.number(), pr_number: z.number() })
const StaleHolder = z.object({ stack_id: z.string(), run_id: z.string(), outcome: z.string() })
const Unreminded = z.object({ stack_id: z.string() })

/** A pull request whose locks were not told how it stands. */
export type StalePull = z.infer<typeof StalePull>

/** A lock whose run is over, and how its stack ended there. */
export type StaleHolder = z.infer<typeof StaleHolder>

/**
 * Pull requests that hold locks as if they were open and are closed, or the other way round, since before a time. It may have
 * been learned by the way, as when a job opens a run at the reopened head, and the webhook that follows it up was lost. Those of
 * repositories that the app does not reach are left out: nothing can be read there.
 */
export const untoldPulls = (db: Reader, before: Date): Promise<readonly StalePull[]> =>
  db.any(sql.type(StalePull)`
    select distinct l.repo_id, l.pr_number
    from locks l join pull_requests p on p.repo_id = l.repo_id and p.number = l.pr_number
    join repositories r on r.id = l.repo_id join installations i on i.id = r.installation_id
    where l.run_id is not null and l.pr_number is not null and p.read_at < ${before.toISOString()}
      and (p.state = 'closed' and l.state in ('held.claimed', 'held.changed')
        or p.state = 'open' and l.state = 'held.orphaned')
      and r.removed_at is null and i.removed_at is null and i.suspended_at is null
    order by l.repo_id, l.pr_number`)

/**
 * Locks that go by the end of their run, where it ended before a time: manual ones whose stack never ran, and those of
 * merged pull requests. A stack whose end nobody saw keeps its lock: that is for a person to look at.
 */
export const untoldHolders = (db: Reader, before: Date): Promise<readonly StaleHolder[]> =>
  db.any(sql.type(StaleHolder)`
    select l.stack_id, l.run_id, x.status as outcome
    from locks l join runs r on r.id = l.run_id
    join run_stacks x on x.run_id = l.run_id and x.stack_id = l.stack_id
    where l.run_id is not null and r.finished_at < ${before.toISOString()}
      and (l.state = 'held.merged'
        or l.state = 'held.manual' and x.status in ('pending', 'blocked', 'skipped', 'superseded')
          and l.snapshot->'context'->>'unknown' = 'false')
    order by l.taken_at, l.stack_id`)

const noReminder = sql.fragment`
  not exists (select from timers t where t.kind = 'lock' and t.id = l.stack_id::text and t.name = 'reminder')`

/** Held locks whose holder will never be reminded. */
export const unremindedLocks = (db: Reader, limit: number): Promise<readonly z.infer<typeof Unreminded>[]> =>
  db.any(sql.type(Unreminded)`
    select l.stack_id from locks l where l.run_id is not null and ${noReminder}
    order by l.taken_at, l.stack_id limit ${limit}`)

/** Sets the reminders of these locks, which the caller has locked, as their taking did; answers how many had none. */
export const remindAgain = async (tx: Tx, stackIds: string[], now: Date): Promise<number> => {
  const { rowCount } = await tx.query(sql.type(z.object({}))`
    insert into timers (kind, id, name, event, due_at)
    select 'lock', l.stack_id::text, 'reminder', '{"type": "reminder.due"}'::jsonb, greatest(${now.toISOString()}::timestamptz,
      l.taken_at + make_interval(secs => (l.snapshot->'context'->>'remind_after')::int))
    from locks l where l.stack_id = any(${sql.array(stackIds, 'uuid')}) and l.run_id is not null and ${noReminder}
    on conflict do nothing`)
  return rowCount
}
