import { z } from 'zod'
import { stackRow } from '#db/machines/stack-row.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { within } from '../tenant.ts'
import { isVisible, type Sight } from '../visibility.ts'
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
          select from installations i where i.account_id = any(${sql.array([...sight.accountIds], 'int8')})
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

/** Whether the row `m` of a family is in use. */
const isUsed = sql.fragment`exists (
  select from module_listings l join repositories r on r.id = l.repo_id and r.removed_at is null
  where l.installation_id = m.installation_id and l.module_id = m.id)`

/** Rows of families in use whose key contains the text. */
const isListed = (q: string | undefined): FragmentSqlToken => sql.fragment`
  m.family_id is null and ${isUsed} ${q === undefined ? sql.fragment`` : sql.fragment`and ${contains(sql.fragment`m.key`, q)}`}`

/** Families whose key contains the text, by key, including those that the caller may not see. */
export const moduleViews = (
  db: Reader,
  wanted: { sight: Sight; q: string | undefined; after: string | undefined; limit: number },
): Promise<readonly ModuleView[]> =>
  db.any(sql.type(ModuleView)`
    select ${columns} from (
      select distinct on (m.key collate "C") m.* from modules m
      where ${isListed(wanted.q)}
        ${wanted.after === undefined ? sql.fragment`` : sql.fragment`and m.key collate "C" > ${wanted.after}`}
      order by m.key collate "C", m.id limit ${wanted.limit}) f
    ${anywhere(wanted.sight)}
    order by f.key collate "C"`)

const CountRow = z.object({ count: z.number() })

export const countModules = async (db: Reader, q: string | undefined): Promise<number> => {
  const { count } = await db.one(sql.type(CountRow)`
    select count(*) as count from (select distinct m.key from modules m where ${isListed(q)}) k`)
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
