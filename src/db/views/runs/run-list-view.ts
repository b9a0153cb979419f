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

/** Those repositories, as a table `v` of their ids. */
const repositoriesOf = (scope: Scope): FragmentSqlToken =>
  'repoId' in scope
    ? sql.fragment`(select installation_id, id from repositories where id = ${scope.repoId}) v`
    : sql.fragment`(
        select v.installation_id, v.id from repositories v join installations i on i.id = v.installation_id
        where v.removed_at is null and i.removed_at is null and ${isVisible(scope.sight, sql.fragment`v.id`)}) v`

type Asked = { scope: Scope; filter: RunFilter; after: Moment | undefined; limit: number }

/**
 * Whether runs are looked for by mode, and by status: a pull request has few runs, and a person not that many of one repository. The index of
 * statuses begins with the mode.
 */
const dividedBy = ({ prNumber, modes, statuses, actor }: RunFilter): 'nothing' | 'mode' | 'mode and status' => {
  if (prNumber !== undefined || actor !== undefined) return 'nothing'
  if (statuses !== undefined) return 'mode and status'
  return modes === undefined ? 'nothing' : 'mode'
}

/** Ranges `g` of an index, each in order: one for a repository, or one for each mode of it, or for each mode and status. */
const rangesOf = ({ scope, filter }: Asked): FragmentSqlToken => {
  const repositories = repositoriesOf(scope)
  const divided = dividedBy(filter)
  if (divided === 'nothing') return sql.fragment`select v.installation_id, v.id as repo_id from ${repositories}`
  const { modes = runModes, statuses = runStatuses } = filter
  const ofModes = sql.fragment`cross join unnest(${sql.array([...modes], 'text')}) as m(mode)`
  if (divided === 'mode')
    return sql.fragment`select v.installation_id, v.id as repo_id, m.mode from ${repositories} ${ofModes}`
  // most repositories have no open run, and a range costs a way down the index for nothing: 1,800 of them for 200 repositories
  return sql.fragment`
    select c.installation_id, c.repo_id, m.mode, c.status from (${countsOf(scope, statuses)}) c ${ofModes}
    group by c.installation_id, c.repo_id, m.mode, c.status having sum(c.runs) > 0`
}

/** How many runs of these statuses each repository has, by the counts that each transition keeps: a row and those still to be added to it. */
const countsOf = (scope: Scope, statuses: readonly RunStatus[]): FragmentSqlToken => {
  const repositories = repositoriesOf(scope)
  const wanted = sql.array([...statuses], 'text')
  return sql.fragment`
    select v.installation_id, v.id as repo_id, c.status, c.runs from ${repositories}
      join run_counts c on c.installation_id = v.installation_id and c.repo_id = v.id where c.status = any(${wanted})
    union all
    select v.installation_id, v.id as repo_id, c.status, c.change from ${repositories}
      join run_count_changes c on c.installation_id = v.installation_id and c.repo_id = v.id where c.status = any(${wanted})`
}

/** Each in words of its own: what is not asked for is not in the statement, whose plan then fits. */
const conditions = ({ prNumber, modes, statuses, actor }: RunFilter): FragmentSqlToken[] => [
  ...(prNumber === undefined ? [] : [sql.fragment`r.pr_number = ${prNumber}`]),
  ...(actor === undefined ? [] : [sql.fragment`r.requested_by = ${actor}`]),
  ...(modes === undefined ? [] : [sql.fragment`r.mode = any(${sql.array([...modes], 'text')})`]),
  ...(statuses === undefined ? [] : [sql.fragment`r.status = any(${sql.array([...statuses], 'text')})`]),
]

const inRange = (filter: RunFilter): FragmentSqlToken[] => {
  const divided = dividedBy(filter)
  if (divided === 'nothing') return conditions(filter)
  return [divided === 'mode' ? sql.fragment`r.mode = g.mode` : sql.fragment`r.mode = g.mode and r.status = g.status`]
}

/** The wanted runs of a range `g`, after a place if there is one. */
const runsIn = ({ filter }: Asked, place: FragmentSqlToken | undefined, limit: number): FragmentSqlToken => {
  const wanted = [
    sql.fragment`r.installation_id = g.installation_id and r.repo_id = g.repo_id`,
    ...inRange(filter),
    ...(place === undefined ? [] : [sql.fragment`(r.created_at, r.id) < (${place})`]),
  ]
  return sql.fragment`
    select r.id, r.created_at from runs r where ${sql.join(wanted, sql.fragment` and `)}
    order by r.created_at desc, r.id desc limit ${limit}`
}

/** Of each range at first, where there are many: most of them have nothing on a page, and a page of each is 50 times as much. */
const HEAD = 4

/**
 * Runs newest first. A mode or a status is up to a few dozen ranges of one index, each in order: the newest of each range are merged,
 * so a rare status costs as much as a common one. Over all repositories the newest of each are merged, so that one set of
 * indexes serves every caller, whatever they see. Only ranges whose first few are all on the page are read on: over 200 repositories
 * a page takes two thirds of the time.
 */
export const listRuns = (db: Reader, asked: Asked): Promise<readonly RunItem[]> => {
  const { scope, after, limit } = asked
  const head = 'repoId' in scope ? limit : Math.min(HEAD, limit)
  const from = after && sql.fragment`${after.at}::timestamptz, ${after.id}::uuid`
  return db.any(sql.type(RunItem)`
    with heads as materialized (
      select g.*, n.* from (${rangesOf(asked)}) g cross join lateral (
        select l.*, row_number() over (order by l.created_at desc, l.id desc) as nth
        from (${runsIn(asked, from, head)}) l) n),
    further as (
      select g.installation_id, n.* from heads g cross join lateral (
        ${runsIn(asked, sql.fragment`g.created_at, g.id`, limit - head)}) n
      where g.nth = ${head} and g.created_at >= coalesce((
        select created_at from heads order by created_at desc, id desc offset ${limit - 1} limit 1), '-infinity'))
    select ${listed}, ${exactly(sql.fragment`r.created_at`)} as at
    from (
      select installation_id, id, created_at from heads union all select installation_id, id, created_at from further
      order by created_at desc, id desc limit ${limit}) i
    ${whole}
    order by r.created_at desc, r.id desc`)
}

const RunsRow = z.object({ runs: z.number() })

/** How many runs there are of these statuses. */
export const countRuns = async (db: Reader, scope: Scope, statuses: readonly RunStatus[]): Promise<number> => {
  const { runs } = await db.one(sql.type(RunsRow)`
    select coalesce(sum(c.runs), 0)::int8 as runs from (${countsOf(scope, statuses)}) c`)
  return runs
}
