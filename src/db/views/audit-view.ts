import { z } from 'zod'
import { isTaken } from '#db/repositories/repository-names.ts'
import { exactly, type Moment } from '../moment.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'
import { rowsOfPage } from './page-rows.ts'

const AuditView = z.object({
  id: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  details: z.record(z.string(), z.unknown()),
})

/** An entry of the audit log. */
export type AuditView = z.infer<typeof AuditView>

export type AuditFilter = {
  actor?: string | undefined
  action?: string | undefined
  target?: string | undefined
  /** `owner/name`; finds what was done under its former names, too. */
  repo?: string | undefined
  /** Entries from this time on, and before this time. */
  from?: string | undefined
  to?: string | undefined
}

/**
 * Names under which entries of a repository were written, in lower case. Each has its own part of the index, in order: the
 * newest of each are merged.
 */
const namesOf = (repo: string): FragmentSqlToken => sql.fragment`(
  select lower(${repo}::text) as name union
  select f.name from former_names f join repositories r on r.id = f.repo_id
  where lower(r.full_name) = lower(${repo}::text) and not ${isTaken(sql.fragment`f.name`)})`

/**
 * Names, in lower case, whose entries the caller sees: those of repositories that they see now. Entries keep the names of their
 * time. A former name shows a repository's entries to people who see it now, unless another account has the name now: what was
 * done before a repository changed hands is not for its new owners.
 */
const seenNames = (sight: Sight): FragmentSqlToken => sql.fragment`(
  select lower(r.full_name) as name from repositories r where ${isVisible(sight, sql.fragment`r.id`)}
  union
  select f.name from former_names f join repositories r on r.id = f.repo_id join installations i on i.id = r.installation_id
  where ${isVisible(sight, sql.fragment`f.repo_id`)} and not ${isTaken(sql.fragment`f.name`)} and not exists (
    select from installations other
    where lower(other.account_login) = split_part(f.name, '/', 1) and other.account_id <> i.account_id))`

type Wanted = { filter: AuditFilter; after: Moment<number> | undefined; limit: number }

const isWanted = ({ filter, after }: Wanted): FragmentSqlToken[] => {
  const { actor, action, target, from, to } = filter
  return [
    ...(after ? [sql.fragment`(at, id) < (${after.at}::timestamptz, ${after.id})`] : []),
    ...(actor === undefined ? [] : [sql.fragment`actor = ${actor}`]),
    ...(action === undefined ? [] : [sql.fragment`action = ${action}`]),
    ...(target === undefined ? [] : [sql.fragment`target = ${target}`]),
    ...(from === undefined ? [] : [sql.fragment`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql.fragment`at < ${to}::timestamptz`]),
  ]
}

/**
 * How many rows a page reads, or a part of it. In the text only where an index has what is asked for, in order: a plan for all calls would not
 * know which of two filters is the rare one.
 */
const rowsOf = ({ filter: { repo: _, ...filters }, limit }: Wanted, rows = limit): FragmentSqlToken =>
  Object.values(filters).filter((one) => one !== undefined).length > 1 ? sql.fragment`${rows}` : rowsOfPage(limit, rows)

/** These columns of the newest wanted entries for which the conditions hold, too. */
const newest = (
  columns: FragmentSqlToken,
  wanted: Wanted,
  also: FragmentSqlToken[] = [],
  limit = rowsOf(wanted),
): FragmentSqlToken => {
  const conditions = [...also, ...isWanted(wanted)]
  return sql.fragment`
    select ${columns} from audit
    ${conditions.length === 0 ? sql.fragment`` : sql.fragment`where ${sql.join(conditions, sql.fragment` and `)}`}
    order by at desc, id desc limit ${limit}`
}

const whole = sql.fragment`id, at, actor, action, target, details`
/** Its place in the order of the log, which indexes know. */
const place = sql.fragment`at, id`
const ofName = sql.fragment`repo = g.name`

/** Of all entries. */
const ofAll = (wanted: Wanted): FragmentSqlToken => {
  const { filter } = wanted
  if (filter.repo === undefined) return newest(whole, wanted)
  return sql.fragment`
    select e.* from ${namesOf(filter.repo)} g cross join lateral (${newest(whole, wanted, [ofName])}) e
    order by e.at desc, e.id desc limit ${rowsOf(wanted)}`
}

/** Of each name at first, where there are many: most have nothing on a page (see the list of runs, which is made alike). */
const HEAD = 4

/**
 * Of the entries that a person made, and of those that name a repository which they see: the newest of each name are merged, and so others'
 * entries are never looked at. A filter or a cursor could tell of them, if they were taken out of a page that they are on: whether
 * anybody did something in a repository that is not there for this person, and when.
 *
 * No entry names one repository in its details and another in its target, so `repo` alone says whose it is.
 */
const ofPerson = (wanted: Wanted, sight: Sight, account: number | undefined): FragmentSqlToken => {
  const { filter, limit } = wanted
  const rows = (some = limit): FragmentSqlToken => rowsOf(wanted, some)
  const head = Math.min(HEAD, limit)
  const own = [
    sql.fragment`actor_id = ${account ?? null}::int8`,
    ...(filter.repo === undefined ? [] : [sql.fragment`repo in (select n.name from ${namesOf(filter.repo)} n)`]),
  ]
  const asked = [
    ...(filter.repo === undefined ? [] : [sql.fragment`v.name in (select n.name from ${namesOf(filter.repo)} n)`]),
    // there may be many entries with the target: they are not looked through for names that it cannot have
    ...(filter.target === undefined ? [] : [sql.fragment`v.name = coalesce(${namedIn(filter.target)}, v.name)`]),
  ]
  const narrowed = asked.length === 0 ? sql.fragment`` : sql.fragment`where ${sql.join(asked, sql.fragment` and `)}`
  return sql.fragment`
    with heads as materialized (
      select g.name, n.* from (select v.name from ${seenNames(sight)} v ${narrowed}) g cross join lateral (
        select l.*, row_number() over (order by l.at desc, l.id desc) as nth from (${newest(place, wanted, [ofName], rows(head))}) l) n),
    further as (
      select n.* from heads g cross join lateral (
        ${newest(place, wanted, [ofName, sql.fragment`(at, id) < (g.at, g.id)`], rows(limit - head))}) n
      where g.nth = ${rows(head)} and g.at >= coalesce((
        select at from heads order by at desc, id desc offset ${rows(limit - 1)} limit 1), '-infinity'))
    select a.* from (
      select at, id from heads union select at, id from further union (${newest(place, wanted, own)})
      order by at desc, id desc limit ${rows()}) e
    cross join lateral (select ${whole} from audit where at = e.at and id = e.id limit 1) a`
}

/** The repository that a target names, `owner/repo…` or `kind:owner/repo…`, in lower case, as the column `repo` has it. */
const namedIn = (target: string): FragmentSqlToken =>
  sql.fragment`lower(substring(${target}::text from '^(?:[a-z_]+:)?([A-Za-z0-9_-]+/[A-Za-z0-9._-]+)'))`

/**
 * The entries that the caller may see, newest first (docs/interface.md, 'GET /v1/audit'). `account` is a person's: they see what they did
 * themselves, whatever they were called then, and not what another did under the login that is theirs now.
 */
export const listAudit = (
  db: Reader,
  { sight, account, ...wanted }: Wanted & { sight: Sight; account: number | undefined },
): Promise<readonly AuditView[]> =>
  db.any(sql.type(AuditView)`
    select a.id, ${exactly(sql.fragment`a.at`)} as at, a.actor, a.action, a.target, a.details
    from (${sight === 'everything' ? ofAll(wanted) : ofPerson(wanted, sight, account)}) a
    order by a.at desc, a.id desc`)
