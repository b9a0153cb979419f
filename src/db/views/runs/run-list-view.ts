import { z } from 'zod'
import { type RunMode, type RunStatus, runModes, runStatuses } from '#domain/run-status.ts'
import { exactly, type Moment } from '../../moment.ts'
import { type FragmentSqlToken, type Reader, sql } from '../../sql.ts'
import { isVisible, isVisibleInstallation, type Sight } from '../../visibility.ts'
import { rowsOfPage } from '../page-rows.ts'
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

/** The installations that a caller sees, as a table `v`, each with those of its repositories whose runs are not listed: they were removed. */
const installationsOf = (sight: Sight): FragmentSqlToken => sql.fragment`(
  select i.id as installation_id, array(
    select id from repositories where installation_id = i.id and removed_at is not null) as gone
  from installations i where i.removed_at is null and ${isVisibleInstallation(sight, sql.fragment`i`)}) v`

type Asked = { scope: Scope; filter: RunFilter; after?: Moment | undefined; limit: number }

/** Ranges `g` of an index, each in order, and which runs `r` are in one. A mode, a status and a person have ranges of their own. */
type Ranges = { all: FragmentSqlToken; has: FragmentSqlToken[] }

const rangesOf = ({ scope, filter }: Asked): Ranges => {
  const { prNumber, statuses, actor } = filter
  if (statuses !== undefined && prNumber === undefined && actor === undefined) return rangesOfStatuses(scope, filter)
  if ('repoId' in scope || prNumber !== undefined) {
    const repositories = sql.fragment`select v.installation_id, v.id as repo_id from ${repositoriesOf(scope)}`
    return rangesOfPlaces(repositories, inRepository, filter)
  }
  const installations = sql.fragment`select v.* from ${installationsOf(scope.sight)}`
  // their index begins with the mode
  return rangesOfPlaces(installations, inInstallation, filter, filter.modes ?? runModes)
}

/**
 * Most repositories have no open run, and a range costs a way down the index for nothing: 1,800 of them for 200 repositories. So only those
 * that the counts know runs of. The index of statuses begins with the mode.
 */
const rangesOfStatuses = (scope: Scope, { modes = runModes, statuses = runStatuses }: RunFilter): Ranges => ({
  all: sql.fragment`
    select c.installation_id, c.repo_id, m.mode, c.status from (${countsOf(scope, statuses)}) c ${ofModes(modes)}
    group by c.installation_id, c.repo_id, m.mode, c.status having sum(c.runs) > 0`,
  has: [sql.fragment`${inRepository} and r.mode = g.mode and r.status = g.status`],
})

/** Of each place, and of each of these modes, if any. A pull request has few runs, and a person not that many of one place. */
const rangesOfPlaces = (
  places: FragmentSqlToken,
  inPlace: FragmentSqlToken,
  filter: RunFilter,
  modes = filter.modes,
): Ranges =>
  filter.prNumber !== undefined || filter.actor !== undefined || modes === undefined
    ? { all: places, has: [inPlace, ...conditions(filter)] }
    : {
        all: sql.fragment`select v.*, m.mode from (${places}) v ${ofModes(modes)}`,
        has: [inPlace, sql.fragment`r.mode = g.mode`],
      }

const inRepository = sql.fragment`r.installation_id = g.installation_id and r.repo_id = g.repo_id`
/**
 * Over all repositories the places are whole installations, since who sees one sees all of it. A page over 200 repositories of 20 installations
 * takes half of the time, and no longer at a million runs than at 10,000; by repositories it took 1.3 to 1.5 times as long.
 * Runs of removed repositories are passed over in the index: 10 to 15 ms for 100,000, which an installation has before its others only
 * where those have stopped.
 */
const inInstallation = sql.fragment`r.installation_id = g.installation_id and r.repo_id <> all(g.gone)`

const ofModes = (modes: readonly RunMode[]): FragmentSqlToken =>
  sql.fragment`cross join unnest(${sql.array([...modes], 'text')}) as m(mode)`

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

/** The wanted runs of a range `g`, after a place if there is one. */
const runsIn = ({ has }: Ranges, place: FragmentSqlToken | undefined, limit: FragmentSqlToken): FragmentSqlToken => {
  const wanted = [...has, ...(place === undefined ? [] : [sql.fragment`(r.created_at, r.id) < (${place})`])]
  return sql.fragment`
    select r.id, r.created_at from runs r where ${sql.join(wanted, sql.fragment` and `)}
    order by r.created_at desc, r.id desc limit ${limit}`
}

/** Of each range at first, where there may be many: most of them have nothing on a page, and a page of each is 50 times as much. */
const HEAD = 4

/**
 * Runs newest first. A mode or a status is up to a few dozen ranges of one index, each in order: the newest of each range are merged, so
 * a rare status costs as much as a common one, and one set of indexes serves every caller, whatever they see. Only ranges whose first
 * few are all on the page are read on: of 200 ranges that takes two thirds of the time.
 */
export const listRuns = (db: Reader, asked: Asked): Promise<readonly RunItem[]> => {
  const { scope, after, limit } = asked
  const head = 'repoId' in scope ? limit : Math.min(HEAD, limit)
  const rows = (some = limit): FragmentSqlToken => ('repoId' in scope ? sql.fragment`${some}` : rowsOfPage(limit, some))
  const ranges = rangesOf(asked)
  const from = after && sql.fragment`${after.at}::timestamptz, ${after.id}::uuid`
  return db.any(sql.type(RunItem)`
    with heads as materialized (
      select g.*, n.* from (${ranges.all}) g cross join lateral (
        select l.*, row_number() over (order by l.created_at desc, l.id desc) as nth
        from (${runsIn(ranges, from, rows(head))}) l) n),
    further as (
      select g.installation_id, n.* from heads g cross join lateral (
        ${runsIn(ranges, sql.fragment`g.created_at, g.id`, rows(limit - head))}) n
      where g.nth = ${rows(head)} and g.created_at >= coalesce((
        select created_at from heads order by created_at desc, id desc offset ${rows(limit - 1)} limit 1), '-infinity'))
    select ${listed}, ${exactly(sql.fragment`r.created_at`)} as at
    from (
      select installation_id, id, created_at from heads union all select installation_id, id, created_at from further
      order by created_at desc, id desc limit ${rows()}) i
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
