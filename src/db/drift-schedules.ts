import { z } from 'zod'
import { jsonRows, type Reader, sql, type Tx } from './sql.ts'

/** What the default branch's configuration says of checks for drift. */
type DriftSettings = {
  /** A cron line in UTC; null: no checks. */
  schedule: string | null
  issues: boolean
  /** The next minute that the schedule names. */
  nextAt: Date | null
}

/**
 * Notes what the configuration said when it was read at `readAt`, by the database; what was read later stays. The next check
 * is put off only where the schedule is another one: by the same one it is never later, but where a clock was ahead that has been
 * put back since. True where anything changed.
 */
export const noteDriftSettings = async (
  db: Reader,
  repoId: number,
  { schedule, issues, nextAt }: DriftSettings,
  readAt: Date,
): Promise<boolean> => {
  const at = readAt.toISOString()
  const next = nextAt?.toISOString() ?? null
  const { rowCount } = await db.query(sql.type(z.object({}))`
    update repositories set drift_schedule = ${schedule}, drift_issues = ${issues}, config_read_at = ${at},
      drift_next_at = case when drift_schedule is not distinct from ${schedule} then least(drift_next_at, ${next}) else ${next} end
    where id = ${repoId} and coalesce(config_read_at, '-infinity') <= ${at}
      and (config_read_at is null or (drift_schedule, drift_issues) is distinct from (${schedule}::text, ${issues})
        or drift_next_at > ${next})`)
  return rowCount > 0
}

const DueDrift = z
  .object({ id: z.number(), schedule: z.string(), due_at: z.date(), served: z.boolean() })
  .transform(({ due_at: dueAt, ...row }) => ({ ...row, dueAt }))

/** A repository whose check is due; `served`: not where its installation is suspended, or gone. */
type DueDrift = z.infer<typeof DueDrift>

/**
 * Takes repositories whose check is due, the longest due first. Those that another transaction has taken, or is writing, are
 * passed over: they are due again in a minute, or not any more.
 */
export const takeDueDrift = (tx: Tx, now: Date, limit: number): Promise<readonly DueDrift[]> =>
  tx.any(sql.type(DueDrift)`
    select r.id, r.drift_schedule as schedule, r.drift_next_at as due_at,
      i.suspended_at is null and i.removed_at is null as served
    from repositories r join installations i on i.id = r.installation_id
    where r.drift_next_at <= ${now.toISOString()} and r.drift_next_at is not null
      and r.removed_at is null and not r.archived and r.drift_schedule is not null
    order by r.drift_next_at, r.id limit ${limit}
    for no key update of r skip locked`)

/** Says when the next checks of repositories are due; never, where it is null. */
export const setNextDrift = async (tx: Tx, rows: readonly { id: number; nextAt: Date | null }[]): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    update repositories r set drift_next_at = t."nextAt"
    from jsonb_to_recordset(${jsonRows(rows)}) as t(id int8, "nextAt" timestamptz) where r.id = t.id`)
}

/**
 * Claims a tick of a repository for the caller's transaction, under the repository's lock: false where it was acted on before,
 * or a later one was. None lies ahead but by a clock that has been put back since.
 */
export const claimTick = async (tx: Tx, repoId: number, dueAt: Date): Promise<boolean> => {
  const at = dueAt.toISOString()
  const { rowCount } = await tx.query(sql.type(z.object({}))`
    update repositories set drift_handled_at = ${at}
    where id = ${repoId}
      and (coalesce(drift_handled_at, '-infinity') < ${at} or drift_handled_at > now() + interval '1 hour')`)
  return rowCount > 0
}

/** Marks repositories whose configuration nobody has read since they came here as being read, and answers their ids. */
export const takeUnreadConfigs = async (tx: Tx, limit: number): Promise<number[]> => {
  const rows = await tx.any(sql.type(z.object({ id: z.number() }))`
    with unread as (
      select r.id from repositories r join installations i on i.id = r.installation_id
      where r.config_read_at is null and r.removed_at is null and not r.archived and i.suspended_at is null
      order by r.id limit ${limit} for no key update of r skip locked)
    update repositories r set config_read_at = clock_timestamp() from unread u where r.id = u.id
    returning r.id`)
  return rows.map(({ id }) => id)
}
