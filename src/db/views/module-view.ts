import { z } from 'zod'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
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

/** A family with its latest version; `visible`: whether the caller may see it. */
export type ModuleView = z.infer<typeof ModuleView>

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
          where c.module_id = m.id and ${isVisible(sight, sql.fragment`c.repo_id`)}))`

/**
 * Versions come from the tags of a repository: a caller who may not see the repository learns nothing of them. Otherwise
 * anybody could read the tags of another's private repository by naming it as a module.
 */
const latestOf = (sight: Sight, moduleId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select v.tag from module_versions v
  where v.module_id = ${moduleId} and v.counts and ${isVisible(sight, sql.fragment`v.repo_id`)}
  order by v.precedence desc limit 1)`

/** Whether the caller sees the versions of a family: all of them come from one repository. */
const seesVersions = (sight: Sight, moduleId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select ${isVisible(sight, sql.fragment`v.repo_id`)} as seen from module_versions v
  where v.module_id = ${moduleId} limit 1) k`

/**
 * How many released versions are newer than the consumer's: the count kept with the next version at or below its ref, or all
 * if there is none. Null if its ref is no version, or no version is known.
 */
const behind = sql.fragment`
  case when k.seen and c.precedence is not null then coalesce(
    (select v.newer from module_versions v
      where v.module_id = c.module_id and v.precedence <= c.precedence order by v.precedence desc limit 1),
    (select v.newer + v.counts::int from module_versions v
      where v.module_id = c.module_id order by v.precedence limit 1)) end`

const columns = (sight: Sight): FragmentSqlToken => sql.fragment`
  m.id, m.key, m.kind, m.source, ${latestOf(sight, sql.fragment`m.id`)} as latest, ${isSeen(sight)} as visible`

const isListed = (q: string | undefined): FragmentSqlToken => sql.fragment`
  m.family_id is null and exists (
    select from module_listings l join repositories r on r.id = l.repo_id and r.removed_at is null
    where l.module_id = m.id)
  ${q === undefined ? sql.fragment`` : sql.fragment`and ${contains(sql.fragment`m.key`, q)}`}`

/** Families whose key contains the text, by key, including those that the caller may not see. */
export const moduleViews = (
  db: Reader,
  wanted: { sight: Sight; q: string | undefined; after: string | undefined; limit: number },
): Promise<readonly ModuleView[]> =>
  db.any(sql.type(ModuleView)`
    select ${columns(wanted.sight)} from modules m
    where ${isListed(wanted.q)}
      ${wanted.after === undefined ? sql.fragment`` : sql.fragment`and m.key collate "C" > ${wanted.after}`}
    order by m.key collate "C" limit ${wanted.limit}`)

export const countModules = async (db: Reader, q: string | undefined): Promise<number> => {
  const { count } = await db.one(sql.type(z.object({ count: z.number() }))`
    select count(*) as count from modules m where ${isListed(q)}`)
  return count
}

/** A family by its own id, or by the id of a family pinned to a ref. */
export const findModuleView = async (db: Reader, sight: Sight, id: string): Promise<ModuleView | undefined> =>
  (await db.maybeOne(sql.type(ModuleView)`
    select ${columns(sight)} from modules m
    where m.id = (select coalesce(family_id, id) from modules where id = ${id})`)) ?? undefined

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
  unnest(${sql.array([...moduleIds], 'uuid')}) as w(id)
  left join lateral ${seesVersions(sight, sql.fragment`w.id`)} on true
  cross join lateral (select * from module_consumers where module_id = w.id offset 0) c
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
      select c.module_id, c.stack_id, c.repo_id, ${behind} as behind
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
    select c.module_id, c.stack_id, r.full_name as repo, s.key as stack_key, c.ref, ${behind} as behind
    from ${ofModules(sight, moduleIds)}
    cross join lateral (select key from stacks where id = c.stack_id limit 1) s
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
    select c.stack_id, m.key as module_key, c.ref, ${latestOf(sight, sql.fragment`c.module_id`)} as latest,
      ${behind} as behind
    from module_consumers c join modules m on m.id = c.module_id
    left join lateral ${seesVersions(sight, sql.fragment`c.module_id`)} on true
    where c.stack_id = any(${sql.array([...stackIds], 'uuid')})
    order by c.stack_id, m.key collate "C", c.ref collate "C"`)

const VersionView = z.object({ tag: z.string(), sha: z.string(), tagged_at: z.date().nullable() })

/** The versions of a family, newest first. */
export const versionsOfModule = (
  db: Reader,
  sight: Sight,
  moduleId: string,
): Promise<readonly z.infer<typeof VersionView>[]> =>
  db.any(sql.type(VersionView)`
    select v.tag, t.sha, t.tagged_at
    from module_versions v join module_tags t on t.repo_id = v.repo_id and t.tag = v.tag
    where v.module_id = ${moduleId} and ${isVisible(sight, sql.fragment`v.repo_id`)}
    order by v.precedence desc`)
