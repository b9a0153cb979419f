import { z } from 'zod'
import { stackRow } from '#db/machines/stack-row.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { within } from '../tenant.ts'
import { isVisible, isVisibleInstallation, type Sight } from '../visibility.ts'
import { contains } from './contains.ts'

const ModuleView = z.object({
  id: z.string(),
  key: z.string(),
  kind: z.enum(['local', 'git', 'registry']),
  source: z.string().nullable(),
  latest: z.string().nullable(),
  visible: z.boolean(),
})

/** A family with its latest version; `visible`: whether the caller may see it. Of one that several installations use, the first's id. */
export type ModuleView = z.infer<typeof ModuleView>

/** Rows of a family: one of each installation that uses it. */
const family = (key: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`(select * from modules where key collate "C" = ${key} collate "C" and family_id is null) m`

/**
 * A person sees a module that belongs to one of their accounts, or has a consumer they can see (docs/interface.md, 'GET
 * /v1/modules'). An account's modules are those of its repositories, known here or not.
 */
const isSeen = (sight: Sight): FragmentSqlToken =>
  sight === 'everything'
    ? sql.fragment`true`
    : sql.fragment`(
        exists (
          select from installations i where ${isVisibleInstallation(sight, sql.fragment`i`)}
            and lower(i.account_login) = lower(split_part(m.repo_name, '/', 1)))
        or exists (
          select from module_consumers c join repositories r on r.id = c.repo_id and r.removed_at is null
          where c.installation_id = m.installation_id and c.module_id = m.id and ${isVisible(sight, sql.fragment`c.repo_id`)}))`

/**
 * Versions come from the tags of a repository: a caller who may not see the repository learns nothing of them. Otherwise
 * anybody could read the tags of another's private repository by naming it as a module.
 */
const latestOf = (sight: Sight, m: FragmentSqlToken, moduleId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select v.tag from module_versions v
  where v.installation_id = ${m}.installation_id and v.module_id = ${moduleId} and v.counts and ${isVisible(sight, sql.fragment`v.repo_id`)}
  order by v.precedence desc limit 1)`

/** Whether the caller sees the versions of a family: all of them come from one repository. */
const seesVersions = (sight: Sight, m: FragmentSqlToken, moduleId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select ${isVisible(sight, sql.fragment`v.repo_id`)} as seen from module_versions v
  where v.installation_id = ${m}.installation_id and v.module_id = ${moduleId} limit 1) k`

/**
 * How many released versions are newer than the consumer's: the count kept with the next version at or below its ref, or all
 * if there is none. Null if its ref is no version, or no version is known.
 */
const behind = sql.fragment`
  case when k.seen and c.precedence is not null then coalesce(
    (select v.newer from module_versions v
      where v.installation_id = c.installation_id and v.module_id = c.module_id and v.precedence <= c.precedence
      order by v.precedence desc limit 1),
    (select v.newer + v.counts::int from module_versions v
      where v.installation_id = c.installation_id and v.module_id = c.module_id order by v.precedence limit 1)) end`

const columns = sql.fragment`f.id, f.key, e.kind, e.source, e.latest, e.visible`

/**
 * What is known of a family `f` at any of its installations, as `e`: the first to name it says what it is, but for its own repository,
 * which knows that it is local. All know the same versions.
 */
const anywhere = (sight: Sight): FragmentSqlToken => sql.fragment`
  cross join lateral (
    select case when bool_or(o.kind = 'local') then 'local' else f.kind end as kind,
      (array_agg(o.source order by o.id) filter (where o.source is not null))[1] as source,
      max(o.latest) as latest, bool_or(o.visible) as visible
    from (
      select m.id, m.kind, m.source, ${latestOf(sight, sql.fragment`m`, sql.fragment`m.id`)} as latest, ${isSeen(sight)} as visible
      from ${family(sql.fragment`f.key`)}) o) e`

/** Whether the row `m` of a family is in use: a value, for each row in its order, where Postgres would make a join of `exists`. */
const isUsed = sql.fragment`(
  select true from module_listings l join repositories r on r.id = l.repo_id and r.removed_at is null
  where l.installation_id = m.installation_id and l.module_id = m.id limit 1) is true`

/** Whether a stack of its installation uses it: all of an installation's repositories are seen by the same people. */
const isConsumed = sql.fragment`(
  select true from module_consumers c join repositories r on r.id = c.repo_id and r.removed_at is null
  where c.installation_id = m.installation_id and c.module_id = m.id limit 1) is true`

/** What a page is made of: families whose key contains the text and is behind that of the page before. */
type Wanted = { q: string | undefined; after: string | undefined; limit: number }

const isFamily = ({ q, after }: Partial<Wanted>): FragmentSqlToken => {
  const conditions = [
    sql.fragment`m.family_id is null`,
    ...(q === undefined ? [] : [contains(sql.fragment`m.key`, q)]),
    ...(after === undefined ? [] : [sql.fragment`m.key collate "C" > ${after}`]),
  ]
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`
}

/** A page of all families, `f`: of each the first row that is in use. */
const families = (wanted: Wanted): FragmentSqlToken => sql.fragment`(
  select distinct on (m.key collate "C") m.* from modules m where ${isFamily(wanted)} and ${isUsed}
  order by m.key collate "C", m.id limit ${wanted.limit}) f`

/**
 * The same of those that a person sees (see isSeen). Their installations' rows of modules and the modules of their accounts are each in
 * order in an index, and so many of each are merged: a walk over all families would take as long as others have modules. That others
 * are never looked at is why neither the end of a page nor its cursor, nor what `q` finds, tells of them.
 */
const seenFamilies = (sight: Sight, wanted: Wanted): FragmentSqlToken => {
  const theirs = isVisibleInstallation(sight, sql.fragment`i`)
  const page = sql.fragment`order by key limit ${wanted.limit}`
  return sql.fragment`(
    select n.key from installations i cross join lateral (
      select m.key collate "C" as key from modules m
      where m.installation_id = i.id and ${isFamily(wanted)} and ${isConsumed} ${page}) n
    where ${theirs}
    union
    select n.key from (select distinct lower(i.account_login) as login from installations i where ${theirs}) o cross join lateral (
      select distinct m.key collate "C" as key from modules m
      where lower(split_part(m.repo_name, '/', 1)) = o.login and ${isFamily(wanted)} and ${isUsed} ${page}) n
    ${page}) k
  cross join lateral (select m.* from ${family(sql.fragment`k.key`)} where ${isUsed} order by m.id limit 1) f`
}

/** A page of the families that the caller may see, by key. */
export const moduleViews = (
  db: Reader,
  { sight, ...wanted }: Wanted & { sight: Sight },
): Promise<readonly ModuleView[]> =>
  db.any(sql.type(ModuleView)`
    select ${columns} from ${sight === 'everything' ? families(wanted) : seenFamilies(sight, wanted)}
    ${anywhere(sight)}
    order by f.key collate "C"`)

const CountRow = z.object({ count: z.number() })

export const countModules = async (db: Reader, q: string | undefined): Promise<number> => {
  const { count } = await db.one(sql.type(CountRow)`
    select count(*) as count from (select distinct m.key from modules m where ${isFamily({ q })} and ${isUsed}) k`)
  return count
}

/** A family by the id of any of its rows, or of one that is pinned to a ref. */
export const findModuleView = async (db: Reader, sight: Sight, id: string): Promise<ModuleView | undefined> =>
  (await db.maybeOne(sql.type(ModuleView)`
    select ${columns} from (
      select m.* from modules p join modules g on g.installation_id = p.installation_id and g.id = coalesce(p.family_id, p.id)
      cross join lateral ${family(sql.fragment`g.key`)}
      where p.id = ${id} order by ${isUsed} desc, m.id limit 1) f
    ${anywhere(sight)}`)) ?? undefined

const ConsumerView = z.object({
  module_id: z.string(),
  stack_id: z.string(),
  repo: z.string(),
  stack_key: z.string(),
  ref: z.string(),
  behind: z.number().nullable(),
})

/** A stack that uses a family. */
export type ConsumerView = z.infer<typeof ConsumerView>

/** What uses these families, with the repositories that still are: index probes alone. */
const ofModules = (sight: Sight, moduleIds: readonly string[]): FragmentSqlToken => sql.fragment`
  (select f.id as family_id, m.installation_id, m.id from modules f cross join lateral ${family(sql.fragment`f.key`)}
    where f.id = any(${sql.array([...moduleIds], 'uuid')})) w
  left join lateral ${seesVersions(sight, sql.fragment`w`, sql.fragment`w.id`)} on true
  cross join lateral (
    select * from module_consumers where installation_id = w.installation_id and module_id = w.id offset 0) c
  join repositories r on r.id = c.repo_id and r.removed_at is null`

const ConsumerCounts = z.object({
  module_id: z.string(),
  stacks: z.number(),
  repositories: z.number(),
  behind: z.number(),
  most_behind: z.number(),
})

/** How many use a family; `most_behind` is of the stack that is furthest behind. */
export type ConsumerCounts = z.infer<typeof ConsumerCounts>

/** Of the consumers that the caller may see. A family that nobody uses has no row. */
export const countsOfConsumers = (
  db: Reader,
  sight: Sight,
  moduleIds: readonly string[],
): Promise<readonly ConsumerCounts[]> =>
  db.any(sql.type(ConsumerCounts)`
    select module_id, count(distinct stack_id) as stacks, count(distinct repo_id) as repositories,
      count(distinct stack_id) filter (where behind > 0) as behind, coalesce(max(behind), 0) as most_behind
    from (
      select w.family_id as module_id, c.stack_id, c.repo_id, ${behind} as behind
      from ${ofModules(sight, moduleIds)} where ${isVisible(sight, sql.fragment`c.repo_id`)}) all_of_them
    group by module_id`)

/**
 * The consumers of these families that the caller may see, by repository and key. Uses only index probes, however many there
 * are: a page must not walk over all stacks.
 */
export const consumersOfModules = (
  db: Reader,
  sight: Sight,
  moduleIds: readonly string[],
): Promise<readonly ConsumerView[]> =>
  db.any(sql.type(ConsumerView)`
    select w.family_id as module_id, c.stack_id, r.full_name as repo, s.key as stack_key, c.ref, ${behind} as behind
    from ${ofModules(sight, moduleIds)}
    cross join lateral ${stackRow(sql.fragment`c.installation_id`, sql.fragment`c.stack_id`)} s
    where ${isVisible(sight, sql.fragment`c.repo_id`)}
    order by r.full_name collate "C", s.key collate "C", c.ref collate "C"`)

const UsedModule = z.object({
  stack_id: z.string(),
  module_key: z.string(),
  ref: z.string(),
  latest: z.string().nullable(),
  behind: z.number().nullable(),
})

/** What a stack uses (docs/interface.md, 'StackDetail', modules). */
export type UsedModule = z.infer<typeof UsedModule>

/** The families that these stacks use, by key; the caller must be allowed to see the stacks. */
export const modulesOfStacks = (
  db: Reader,
  sight: Sight,
  stackIds: readonly string[],
): Promise<readonly UsedModule[]> =>
  db.any(sql.type(UsedModule)`
    select c.stack_id, m.key as module_key, c.ref, ${latestOf(sight, sql.fragment`c`, sql.fragment`c.module_id`)} as latest,
      ${behind} as behind
    from module_consumers c join modules m on m.installation_id = c.installation_id and m.id = c.module_id
    left join lateral ${seesVersions(sight, sql.fragment`c`, sql.fragment`c.module_id`)} on true
    where ${within(db, sql.fragment`c`)} and c.stack_id = any(${sql.array([...stackIds], 'uuid')})
    order by c.stack_id, m.key collate "C", c.ref collate "C"`)

const VersionView = z.object({
  precedence: z.unknown(),
  tag: z.string(),
  sha: z.string(),
  tagged_at: z.date().nullable(),
})

/** The versions of a family, newest first. */
export const versionsOfModule = (
  db: Reader,
  sight: Sight,
  moduleId: string,
): Promise<readonly z.infer<typeof VersionView>[]> =>
  db.any(sql.type(VersionView)`
    select distinct v.precedence, v.tag, t.sha, t.tagged_at
    from modules f cross join lateral ${family(sql.fragment`f.key`)}
    join module_versions v on v.installation_id = m.installation_id and v.module_id = m.id
    join repositories h on h.id = v.repo_id
    join module_tags t on t.installation_id = h.installation_id and t.repo_id = h.id and t.tag = v.tag
    where f.id = ${moduleId} and ${isVisible(sight, sql.fragment`v.repo_id`)}
    order by v.precedence desc`)
