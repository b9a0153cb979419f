import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { stackRow } from '#db/machines/stack-row.ts'
import type { StackStatus } from '#domain/run-status.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'
import { contains } from './contains.ts'
import type { Scope } from './runs/run-list-view.ts'
import { StackView, stackColumns, standing } from './stack-view.ts'

export type StackFilter = {
  /** Is in the key, in any letter case. */
  q?: string | undefined
  environment?: string | undefined
  /** One of its tags. */
  tag?: string | undefined
  /** In the newest run that has it. */
  status?: readonly StackStatus[] | undefined
  /** In the newest apply that finished it, whatever was planned since. */
  apply?: readonly StackStatus[] | undefined
  drifted?: boolean | undefined
  locked?: boolean | undefined
  /** Uses a module of which a newer version is released, that the caller may know of. */
  behind?: boolean | undefined
}

/** Where a page goes on: after this key of this repository. */
export type StackPlace = { repo: string; repoId: number; key: string }

const StackItem = StackView.extend({ repo_id: z.number() })

export type StackItem = z.infer<typeof StackItem>

const repositoriesOf = (scope: Scope): FragmentSqlToken =>
  'repoId' in scope
    ? sql.fragment`v.id = ${scope.repoId}`
    : sql.fragment`v.removed_at is null and i.removed_at is null and ${isVisible(scope.sight, sql.fragment`v.id`)}`

/**
 * Whether there is such a row of the repository for the stack `s`, or is none: a value, for each stack by its key. Postgres makes a join of
 * `exists`, and compared all stacks of a repository with all its locks, 0.5 s for 12,562 and a few hundred.
 */
const has = (wanted: boolean | undefined, row: FragmentSqlToken): FragmentSqlToken[] =>
  wanted === undefined ? [] : [sql.fragment`(${row} limit 1) is ${wanted ? sql.fragment`true` : sql.fragment`null`}`]

const drifted = sql.fragment`select true from drift_states d where d.installation_id = v.installation_id and d.repo_id = v.id and d.stack_id = s.id and d.drifted`
const locked = sql.fragment`
  select true from locks l where l.installation_id = v.installation_id and l.repo_id = v.id and l.stack_id = s.id and ${isHeld(sql.fragment`l`)}`

const isOneOf = (status: FragmentSqlToken, wanted: readonly StackStatus[] | undefined): FragmentSqlToken[] =>
  wanted === undefined
    ? []
    : [
        sql.fragment`(
          select ${status} from stack_standings n where n.installation_id = s.installation_id
            and n.stack_id = s.id) = any(${sql.array([...wanted], 'text')})`,
      ]

const behind = (sight: Sight): FragmentSqlToken => sql.fragment`exists (
  select from module_consumers c
  where c.installation_id = s.installation_id and c.stack_id = s.id and c.precedence is not null and exists (
    select from module_versions n where n.installation_id = c.installation_id and n.module_id = c.module_id and n.counts
      and n.precedence > c.precedence
      and ${isVisible(sight, sql.fragment`n.repo_id`)}))`

/** Which stacks of a repository are looked through: those that drifted or are locked are few, and Postgres would walk over all to find them. */
const beginsWith = ({ drifted, locked }: StackFilter): 'drifted' | 'locked' | 'all' => {
  if (drifted === true) return 'drifted'
  return locked === true ? 'locked' : 'all'
}

/** Each in words of its own: what is not asked for is not in the statement, whose plan then fits. */
const conditions = (sight: Sight, filter: StackFilter): FragmentSqlToken[] => [
  ...(filter.q === undefined ? [] : [contains(sql.fragment`s.key`, filter.q)]),
  ...(filter.environment === undefined ? [] : [sql.fragment`s.node->>'environment' = ${filter.environment}`]),
  ...(filter.tag === undefined ? [] : [sql.fragment`s.node->'tags' ? ${filter.tag}`]),
  ...isOneOf(sql.fragment`n.status`, filter.status),
  ...isOneOf(sql.fragment`n.apply_status`, filter.apply),
  ...(beginsWith(filter) === 'drifted' ? [] : has(filter.drifted, drifted)),
  ...(beginsWith(filter) === 'locked' ? [] : has(filter.locked, locked)),
  ...(filter.behind === undefined ? [] : [filter.behind ? behind(sight) : sql.fragment`not ${behind(sight)}`]),
]

/** Those of a repository `v` that such rows `d` name, each by its key. */
const named = (rows: FragmentSqlToken, condition: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select n.* from ${rows} cross join lateral ${stackRow(sql.fragment`d.installation_id`, sql.fragment`d.stack_id`)} n
  where d.installation_id = v.installation_id and d.repo_id = v.id and ${condition})`

/** The stacks of a repository `v` that are looked through. */
const stacksOf = (filter: StackFilter): FragmentSqlToken =>
  ({
    drifted: named(sql.fragment`drift_states d`, sql.fragment`d.drifted`),
    locked: named(sql.fragment`locks d`, isHeld(sql.fragment`d`)),
    all: sql.fragment`stacks`,
  })[beginsWith(filter)]

type Asked = {
  scope: Scope
  /** Of the caller, for what is said of modules. */
  sight: Sight
  filter: StackFilter
  after: StackPlace | undefined
  limit: number
}

/**
 * The listed stacks by repository and key, in code-point order. Repositories are gone through in order, each by an index of its
 * own stacks in order, until the page is full; the rest of a stack is read of those on the page alone.
 */
export const listStacksOf = (
  db: Reader,
  { scope, sight, filter, after, limit }: Asked,
): Promise<readonly StackItem[]> =>
  db.any(sql.type(StackItem)`
    select ${stackColumns}
    from (
      select n.* from (
        select v.installation_id, v.id, v.full_name from repositories v join installations i on i.id = v.installation_id
        where ${repositoriesOf(scope)}
          ${after ? sql.fragment`and (v.full_name collate "C", v.id) >= (${after.repo}, ${after.repoId}::int8)` : sql.fragment``}) v
      cross join lateral (
        select s.installation_id, s.id, s.key from ${stacksOf(filter)} s
        where ${sql.join([sql.fragment`s.installation_id = v.installation_id and s.repo_id = v.id and s.listed`, ...conditions(sight, filter)], sql.fragment` and `)}
          ${after ? sql.fragment`and s.key collate "C" > case when v.id = ${after.repoId}::int8 then ${after.key} else '' end` : sql.fragment``}
        order by s.key collate "C" limit ${limit}) n
      order by v.full_name collate "C", v.id, n.key collate "C" limit ${limit}) w
    cross join lateral ${stackRow(sql.fragment`w.installation_id`, sql.fragment`w.id`)} s
    join repositories p on p.id = s.repo_id ${standing}
    order by p.full_name collate "C", p.id, s.key collate "C"`)

const StacksRow = z.object({ stacks: z.number() })

/** How many listed stacks there are, from the counts that repositories keep. */
export const countStacks = async (db: Reader, scope: Scope): Promise<number> => {
  const { stacks } = await db.one(sql.type(StacksRow)`
    select coalesce(sum(v.stack_count), 0)::int8 as stacks
    from repositories v join installations i on i.id = v.installation_id where ${repositoriesOf(scope)}`)
  return stacks
}
