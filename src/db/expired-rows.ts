import { z } from 'zod'
import { openStatuses } from '#domain/run-status.ts'
import { lowestId } from '#portions.ts'
import { type FragmentSqlToken, literals, nothing, type Reader, sql } from './sql.ts'

/*
 * Removes what is past its keep time, a batch at a time. Each statement is its own transaction: it finds its rows by an index,
 * locks only the rows it takes, and skips rows that another transaction holds. It then takes the rows by their place (ctid):
 * joined by key, a thousand of them may cost a walk over the table.
 */

/** How many rows of a batch were removed; `more`: there may be others. */
export type Pruned = { removed: number; more: boolean }

const JobsLooked = z.object({
  looked: z.number(),
  last: z.number().nullable(),
  young: z.boolean().nullable(),
  removed: z.number(),
  dead: z.number(),
})

/**
 * Removes events and jobs that ended before a time, among the `limit` rows after the id `after`; `last` is where to continue.
 * What ended before that time was queued before it too, and ids follow the order of queueing. So no index on the end time is
 * needed, and no job pays for one when it ends.
 */
export const pruneJobs = async (
  db: Reader,
  { after, before, limit }: { after: number; before: Date; limit: number },
): Promise<Pruned & { last: number; dead: number }> => {
  const found = await db.one(sql.type(JobsLooked)`
    with looked as materialized (
      select ctid as place, id, created_at, finished_at from jobs where id > ${after} order by id limit ${limit}
    ), over as (
      select ctid as place from jobs
      where state in ('done', 'ignored', 'dead') and finished_at < ${before.toISOString()}
        and ctid = any(array(select place from looked where finished_at is not null))
      for update skip locked
    ), gone as (
      delete from jobs where ctid = any(array(select place from over)) returning state
    )
    select (select count(*) from looked) as looked, (select max(id) from looked) as last,
      (select created_at >= ${before.toISOString()} from looked order by id desc limit 1) as young,
      (select count(*) from gone) as removed, (select count(*) from gone where state = 'dead') as dead`)
  const { looked, last, young, removed, dead } = found
  return { removed, dead, last: last ?? after, more: looked === limit && young === false }
}

/**
 * Removes plan texts that were reported before a time, except those of unfinished runs. Found by an array of ids as well: by the join
 * alone the planner may read whole months.
 */
export const prunePlanTexts = (db: Reader, before: Date, limit: number): Promise<Pruned> =>
  counted(
    db,
    limit,
    sql.fragment`
    with e as (
      select x.installation_id, x.run_id, x.stack_id from results x
      where x.plan_text is not null and x.reported_at < ${before.toISOString()}
        and not exists (
          select from runs r where r.installation_id = x.installation_id and r.id = x.run_id
            and r.status in ${literals(openStatuses)} offset 0)
      order by x.reported_at limit ${limit} for update of x skip locked
    )
    update results t set plan_text = null, plan_removed_at = now() from e
    where t.run_id = any(array(select run_id from e)) and t.installation_id = e.installation_id and t.run_id = e.run_id
      and t.stack_id = e.stack_id`,
  )

type Perishable = { table: string; time: string; isIndexed: boolean }

/** Removes rows of a table whose time is past; the oldest first if an index has that order. */
const pruneOf =
  ({ table, time, isIndexed }: Perishable) =>
  (db: Reader, before: Date, limit: number): Promise<Pruned> => {
    const [rows, at] = [sql.identifier([table]), sql.identifier([time])]
    const oldestFirst = isIndexed ? sql.fragment`order by ${at}` : sql.fragment``
    return counted(
      db,
      limit,
      sql.fragment`
      delete from ${rows} where ctid = any(array(
        select ctid from ${rows} where ${at} < ${before.toISOString()} ${oldestFirst} limit ${limit}
        for update skip locked))`,
    )
  }

/** Ids of runner tokens that would be refused for their age alone. */
export const pruneUsedTokens = pruneOf({ table: 'used_tokens', time: 'expires_at', isIndexed: true })

export const pruneSessions = pruneOf({ table: 'sessions', time: 'expires_at', isIndexed: true })

/** A handful: each showing of the form removes the expired ones. */
export const pruneSetupStates = pruneOf({ table: 'setup_states', time: 'expires_at', isIndexed: false })

/** At most an hour's minutes for each installation, which its next write would remove: read whole. */
export const pruneContentWrites = pruneOf({ table: 'content_writes', time: 'minute', isIndexed: false })

export const pruneCommentCommands = pruneOf({ table: 'comment_commands', time: 'at', isIndexed: true })

const DriftLooked = z.object({
  looked: z.number(),
  removed: z.number(),
  checked_at: z.string().nullable(),
  stack_id: z.string().nullable(),
  run_id: z.string().nullable(),
})

/** Where to continue in the history of drift checks: the last row that was read, oldest first. */
export type DriftPlace = { checked_at: string; stack_id: string; run_id: string }

/**
 * Removes drift checks from before a time, among the `limit` rows after `after`. Keeps the newest check of each stack, and the
 * check that its state is from: that one may be older, if the newest was inconclusive.
 */
export const pruneDriftChecks = async (
  db: Reader,
  { after, before, limit }: { after: DriftPlace | undefined; before: Date; limit: number },
): Promise<Pruned & { last: DriftPlace | undefined }> => {
  const from = after ?? { checked_at: '-infinity', stack_id: lowestId, run_id: lowestId }
  const found = await db.one(sql.type(DriftLooked)`
    with looked as materialized (
      select ctid as place, installation_id, stack_id, run_id, checked_at from drift_checks
      where checked_at < ${before.toISOString()}
        and (checked_at, stack_id, run_id) > (${from.checked_at}::timestamptz, ${from.stack_id}::uuid, ${from.run_id}::uuid)
      order by checked_at, stack_id, run_id limit ${limit}
    ), gone as (
      delete from drift_checks where ctid = any(array(
        select k.place from looked k
        where exists (
            select from drift_checks n
            where n.installation_id = k.installation_id and n.stack_id = k.stack_id
              and (n.checked_at, n.run_id) > (k.checked_at, k.run_id) offset 0)
          and not exists (
            select from drift_states s
            where s.installation_id = k.installation_id and s.stack_id = k.stack_id and s.run_id = k.run_id offset 0)))
      returning installation_id, stack_id, run_id
    ), gone_from_lists as (
      -- all that was kept of a check that found nothing; an archived one has its rows in the bucket
      delete from archived_stacks a using gone g, runs r
      where r.installation_id = g.installation_id and r.id = g.run_id and a.installation_id = g.installation_id
        and a.stack_id = g.stack_id and a.mode = 'drift' and a.created_at = r.created_at and a.run_id = g.run_id
        and not exists (
          select from archived_runs n where n.installation_id = g.installation_id and n.run_id = g.run_id
            and (n.rows->>'run_stacks')::int8 > 0)
    )
    select (select count(*) from looked) as looked, (select count(*) from gone) as removed,
      l.checked_at::text, l.stack_id, l.run_id
    from (select 1) one left join (
      select * from looked order by checked_at desc, stack_id desc, run_id desc limit 1) l on true`)
  const { looked, removed, checked_at, stack_id, run_id } = found
  const isPlace = checked_at !== null && stack_id !== null && run_id !== null
  const last = isPlace ? { checked_at, stack_id, run_id } : after
  return { removed, last, more: looked === limit }
}

const counted = async (db: Reader, limit: number, statement: FragmentSqlToken): Promise<Pruned> => {
  const { rowCount } = await db.query(sql.type(nothing)`${statement}`)
  return { removed: rowCount, more: rowCount === limit }
}
