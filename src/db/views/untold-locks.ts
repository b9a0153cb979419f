import { z } from 'zod'
import { hasNoReminder } from '#db/queue/lock-reminders.ts'
import { endedStackStatuses, untouchedStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../sql.ts'

/*
 * Held locks that nothing will free, or that nobody will be reminded of. The consequences of an event are written in one
 * transaction with it, so there should be none; but an event may never arrive, and a person may change a row by hand. Found by
 * walking the held locks, in their own index.
 */

const StalePull = z.object({ repo_id: z.number(), pr_number: z.number() })
const StaleHolder = z.object({ stack_id: z.string(), run_id: z.string(), outcome: z.enum(endedStackStatuses) })
const Unreminded = z.object({ stack_id: z.string() })

/** A pull request whose locks were not notified of its state. */
export type StalePull = z.infer<typeof StalePull>

/** A lock whose run is over, and how its stack ended there. */
export type StaleHolder = z.infer<typeof StaleHolder>

/**
 * Pull requests that hold locks as if open but are closed, or the reverse, since before a time. The state may have been
 * learned in passing, for example when a job opens a run at the reopened head and the webhook is lost. Leaves out repositories
 * that the app cannot reach: nothing can be read there.
 */
export const untoldPulls = (db: Reader, before: Date): Promise<readonly StalePull[]> =>
  db.any(sql.type(StalePull)`
    select distinct l.repo_id, l.pr_number
    from locks l join pull_requests p on p.installation_id = l.installation_id and p.repo_id = l.repo_id and p.number = l.pr_number
    join repositories r on r.id = l.repo_id join installations i on i.id = r.installation_id
    where l.run_id is not null and l.pr_number is not null and p.read_at < ${before.toISOString()}
      and (p.state = 'closed' and l.state in ('held.claimed', 'held.changed')
        or p.state = 'open' and l.state = 'held.orphaned')
      and r.removed_at is null and i.removed_at is null and i.suspended_at is null
    order by l.repo_id, l.pr_number`)

/**
 * Locks that the end of their run should have freed, if it ended before a time: of manual runs whose stack never ran, and of
 * merged pull requests. A stack whose end was not seen keeps its lock: a person must look at it.
 */
export const untoldHolders = (db: Reader, before: Date): Promise<readonly StaleHolder[]> =>
  db.any(sql.type(StaleHolder)`
    select l.stack_id, l.run_id, x.status as outcome
    from locks l join runs r on r.installation_id = l.installation_id and r.id = l.run_id
    join run_stacks x on x.installation_id = l.installation_id and x.run_id = l.run_id and x.stack_id = l.stack_id
    where l.run_id is not null and r.finished_at < ${before.toISOString()}
      and (l.state = 'held.merged'
        or l.state = 'held.manual' and x.status in ${literals(untouchedStatuses)}
          and l.snapshot->'context'->>'unknown' = 'false')
    order by l.taken_at, l.stack_id`)

/** Held locks whose holder will never be reminded. */
export const unremindedLocks = (db: Reader, limit: number): Promise<readonly z.infer<typeof Unreminded>[]> =>
  db.any(sql.type(Unreminded)`
    select l.stack_id from locks l where l.run_id is not null and ${hasNoReminder}
    order by l.taken_at, l.stack_id limit ${limit}`)
