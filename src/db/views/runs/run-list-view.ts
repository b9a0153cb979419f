import { z } from 'zod'
import { type RunMode, type RunStatus, runModes, runStatuses } from '#domain/run-status.ts'
import { exactly, type Moment } from '../../moment.ts'
import { type FragmentSqlToken, type Reader, sql } from '../../sql.ts'
import { isVisible, type Sight } from '../../visibility.ts'
import { ListedRun, listed, whole } from './run-view.ts'

/** Of which repositories: one, or all that a caller sees. */
export type Scope = { repoId: number } | { sight: Sight }

export type RunFilter = {
  /** Means something in one repository alone. */
  prNumber?: number | undefined
  modes?: readonly RunMode[] | undefined
  statuses?: readonly RunStatus[] | undefined
  /** Who asked for it. */
  actor?: string | undefined
}

const RunItem = ListedRun.extend({ at: z.string() })

export type RunItem = z.infer<typeof RunItem>

const repositoriesOf = (scope: Scope): FragmentSqlToken =>
  'repoId' in scope
    ? sql.fragment`(select installation_id, id from repositories where id = ${scope.repoId}) v where true`
    : sql.fragment`repositories v join installations i on i.id = v.installation_id
        where v.removed_at is null and i.removed_at is null and ${isVisible(scope.sight, sql.fragment`v.id`)}`

type Asked = { filter: RunFilter; after: Moment | undefined; limit: number }

/** The newest wanted runs of repository `v`, as ranges of an index that are each in order. */
const ofOne = ({ filter, after, limit }: Asked): FragmentSqlToken => {
  const { prNumber, modes, statuses, actor } = filter
  const wantedModes = sql.array([...(modes ?? runModes)], 'text')
  const wantedStatuses = sql.array([...(statuses ?? runStatuses)], 'text')
  const page = sql.fragment`
    ${after ? sql.fragment`and (r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql.fragment``}
    order by r.created_at desc, r.id desc limit ${limit}`
  const runs = sql.fragment`select r.id, r.created_at from runs r where r.installation_id = v.installation_id and r.repo_id = v.id`
  if (prNumber !== undefined || actor !== undefined) {
    // a pull request has few runs, and a person not that many of one repository
    return sql.fragment`${runs}
      ${prNumber === undefined ? sql.fragment`` : sql.fragment`and r.pr_number = ${prNumber}`}
      ${actor === undefined ? sql.fragment`` : sql.fragment`and r.requested_by = ${actor}`}
      ${modes ? sql.fragment`and r.mode = any(${wantedModes})` : sql.fragment``}
      ${statuses ? sql.fragment`and r.status = any(${wantedStatuses})` : sql.fragment``} ${page}`
  }
  if (!modes && !statuses) return sql.fragment`${runs} ${page}`
  return sql.fragment`
    select n.id, n.created_at from unnest(${wantedModes}) as m(mode) cross join unnest(${wantedStatuses}) as t(status)
    cross join lateral (${runs} and r.mode = m.mode and r.status = t.status ${page}) n`
}

/**
 * Runs newest first. A mode or a status is a few dozen ranges of one index, each in order: the newest of each range are merged,
 * so a rare status costs as much as a common one. Over all repositories the newest of each are merged, so that one set of
 * indexes serves every caller, whatever they see.
 */
export const listRuns = (db: Reader, { scope, ...asked }: Asked & { scope: Scope }): Promise<readonly RunItem[]> =>
  db.any(sql.type(RunItem)`
    select ${listed}, ${exactly(sql.fragment`r.created_at`)} as at
    from (
      select n.id from ${lateral(scope, ofOne(asked))}
      order by n.created_at desc, n.id desc limit ${asked.limit}) i
    ${whole}
    order by r.created_at desc, r.id desc`)

const lateral = (scope: Scope, each: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select l.id, l.created_at from (select v.installation_id, v.id from ${repositoriesOf(scope)}) v cross join lateral (${each}) l) n`

/** How many runs there are of these statuses, from the counts that each transition keeps. */
export const countRuns = async (db: Reader, scope: Scope, statuses: readonly RunStatus[]): Promise<number> => {
  const wanted = sql.array([...statuses], 'text')
  const { runs } = await db.one(sql.type(z.object({ runs: z.number() }))`
    select coalesce(sum(c.runs), 0)::int8 as runs from (select v.installation_id, v.id from ${repositoriesOf(scope)}) v
    cross join lateral (
      select runs from run_counts where installation_id = v.installation_id and repo_id = v.id and status = any(${wanted})
      union all select change from run_count_changes where repo_id = v.id and status = any(${wanted})) c`)
  return runs
}
