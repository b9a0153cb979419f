import { z } from 'zod'
import { jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'

/** What the default branch's configuration says about drift checks. */
type DriftSettings = {
  /** A cron line in UTC; null: no checks. */
  schedule: string | null
  issues: boolean
  /** Whether the issues have plans. */
  plan: boolean
  /** The next minute that the schedule names. */
  nextAt: Date | null
}

/**
 * Notes what the configuration said when it was read at `readAt`, by the database's clock; a later reading is kept. The next
 * check is put off only if the schedule changed: with the same schedule it is never later, unless a clock was ahead and has
 * been put back since. True if anything changed.
 */
export const noteDriftSettings = async (
  db: Reader,
  repoId: number,
  { schedule, issues, plan, nextAt }: DriftSettings,
  readAt: Date,
): Promise<boolean> => {
  const at = readAt.toISOString()
  const next = nextAt?.toISOString() ?? null
  const { rowCount } = await db.query(sql.type(nothing)`
    update repositories set drift_schedule = ${schedule}, drift_issues = ${issues}, drift_plan = ${plan}, config_read_at = ${at},
      drift_next_at = case when drift_schedule is not distinct from ${schedule} then least(drift_next_at, ${next}) else ${next} end
    where id = ${repoId} and coalesce(config_read_at, '-infinity') <= ${at}
      and (config_read_at is null or (drift_schedule, drift_issues, drift_plan) is distinct from (${schedule}::text, ${issues}, ${plan})
        or drift_next_at > ${next})`)
  return rowCount > 0
}

const DueDrift = z.object({
  id: z.number(),
  installation_id: z.number(),
  schedule: z.string(),
  due_at: z.date(),
  served: z.boolean(),
})

/** A repository whose check is due; `served` is false if its installation is suspended or gone. */
type DueDrift = z.infer<typeof DueDrift>

/**
 * Takes repositories whose check is due, the longest due first. Skips those that another transaction has taken or is writing:
 * they are due again in a minute, or no longer due.
 */
export const takeDueDrift = (tx: Tx, now: Date, limit: number): Promise<readonly DueDrift[]> =>
  tx.any(sql.type(DueDrift)`
    select r.id, r.installation_id, r.drift_schedule as schedule, r.drift_next_at as due_at,
      i.suspended_at is null and i.removed_at is null as served
    from repositories r join installations i on i.id = r.installation_id
    where r.drift_next_at <= ${now.toISOString()} and r.drift_next_at is not null
      and r.removed_at is null and not r.archived and r.drift_schedule is not null
    order by r.drift_next_at, r.id limit ${limit}
    for no key update of r skip locked`)

/** Sets when the next checks of repositories are due; null means never. */
export const setNextDrift = async (
  tx: Tx,
  rows: readonly { id: number; drift_next_at: Date | null }[],
): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update repositories r set drift_next_at = t.drift_next_at
    from jsonb_to_recordset(${jsonRows(rows)}) as t(id int8, drift_next_at timestamptz) where r.id = t.id`)
}

/**
 * Claims a tick of a repository for the caller's transaction, under the repository's lock: false if it, or a later tick, was
 * acted on before. A tick noted in the future comes from a clock that has been put back since.
 */
export const claimTick = async (tx: Tx, repoId: number, dueAt: Date): Promise<boolean> => {
  const at = dueAt.toISOString()
  const { rowCount } = await tx.query(sql.type(nothing)`
    update repositories set drift_handled_at = ${at}
    where id = ${repoId}
      and (coalesce(drift_handled_at, '-infinity') < ${at} or drift_handled_at > now() + interval '1 hour')`)
  return rowCount > 0
}

const IdRow = z.object({ id: z.number() })

/** Marks repositories whose configuration was not read since they were added as being read, and returns their ids. */
export const takeUnreadConfigs = async (tx: Tx, limit: number): Promise<number[]> => {
  const rows = await tx.any(sql.type(IdRow)`
    with unread as (
      select r.id from repositories r join installations i on i.id = r.installation_id
      where r.config_read_at is null and r.removed_at is null and not r.archived and i.suspended_at is null
      order by r.id limit ${limit} for no key update of r skip locked)
    update repositories r set config_read_at = clock_timestamp() from unread u where r.id = u.id
    returning r.id`)
  return rows.map(({ id }) => id)
}
