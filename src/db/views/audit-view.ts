import { z } from 'zod'
import { isTaken } from '#db/repositories/repository-names.ts'
import { exactly, type Moment } from '../moment.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'

const AuditView = z.object({
  id: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  details: z.record(z.string(), z.unknown()),
  visible: z.boolean(),
})

/** An entry of the audit log, and whether the caller may see it. */
export type AuditView = z.infer<typeof AuditView>

/** The `owner/repo` in front of `owner/repo…` and `kind:owner/repo…`. */
const named = sql.fragment`substring(a.target from '^(?:[a-z_]+:)?([A-Za-z0-9_-]+/[A-Za-z0-9._-]+)')`

/**
 * Entries keep the names of their time. A former name shows a repository's entries to people who see it now, unless another
 * account has the name now: what was done before a repository changed hands is not for its new owners.
 */
const isNamed = (sight: Sight): FragmentSqlToken => sql.fragment`(
  exists (
    select from repositories r
    where lower(r.full_name) in (lower(a.details->>'repo'), lower(${named})) and ${isVisible(sight, sql.fragment`r.id`)})
  or exists (
    select from former_names f join repositories r on r.id = f.repo_id join installations i on i.id = r.installation_id
    where f.name in (lower(a.details->>'repo'), lower(${named})) and ${isVisible(sight, sql.fragment`f.repo_id`)}
      and not ${isTaken(sql.fragment`f.name`)} and not exists (
        select from installations other
        where lower(other.account_login) = split_part(f.name, '/', 1) and other.account_id <> i.account_id)))`

const isSeen = (sight: Sight, account: number | undefined): FragmentSqlToken =>
  sight === 'everything'
    ? sql.fragment`true`
    : sql.fragment`(coalesce(a.actor_id = ${account ?? null}::int8, false) or ${isNamed(sight)})`

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

const conditionsOf = (filter: AuditFilter, after: Moment<number> | undefined): FragmentSqlToken => {
  const { actor, action, target, repo, from, to } = filter
  const conditions = [
    ...(after ? [sql.fragment`(at, id) < (${after.at}::timestamptz, ${after.id})`] : []),
    ...(actor === undefined ? [] : [sql.fragment`actor = ${actor}`]),
    ...(action === undefined ? [] : [sql.fragment`action = ${action}`]),
    ...(target === undefined ? [] : [sql.fragment`target = ${target}`]),
    ...(repo === undefined ? [] : [sql.fragment`repo = names.name`]),
    ...(from === undefined ? [] : [sql.fragment`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql.fragment`at < ${to}::timestamptz`]),
  ]
  return conditions.length === 0 ? sql.fragment`` : sql.fragment`where ${sql.join(conditions, sql.fragment` and `)}`
}

type Wanted = { filter: AuditFilter; after: Moment<number> | undefined; limit: number }

const newest = ({ filter, after, limit }: Wanted): FragmentSqlToken => {
  const page = sql.fragment`
    select id, at, actor, actor_id, action, target, details from audit ${conditionsOf(filter, after)}
    order by at desc, id desc limit ${limit}`
  if (filter.repo === undefined) return page
  return sql.fragment`
    select e.* from ${namesOf(filter.repo)} names cross join lateral (${page}) e order by e.at desc, e.id desc limit ${limit}`
}

/**
 * Entries newest first, with those marked that the caller may not see: they are removed from a page and not replaced by
 * others, as docs/interface.md, 'GET /v1/audit' says. `account` is a person's: they see what they did
 * themselves, whatever they were called then, and not what another did under the login that is theirs now.
 */
export const listAudit = (
  db: Reader,
  wanted: Wanted & { sight: Sight; account: number | undefined },
): Promise<readonly AuditView[]> =>
  db.any(sql.type(AuditView)`
    select a.id, ${exactly(sql.fragment`a.at`)} as at, a.actor, a.action, a.target, a.details,
      ${isSeen(wanted.sight, wanted.account)} as visible
    from (${newest(wanted)}) a
    order by a.at desc, a.id desc`)
