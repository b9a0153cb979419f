import { z } from 'zod'
import { type FragmentSqlToken, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'
import { listStacks } from './listed-stacks.ts'

export const Repository = z.object({
  id: z.number(),
  installation_id: z.number(),
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  default_branch: z.string(),
  default_graph_id: z.string().nullable(),
  /** Of the default branch. */
  stack_count: z.number(),
  archived: z.boolean(),
  suspended: z.boolean(),
  /** Suspended here, since its installation is moved to another service. */
  paused: z.boolean(),
  removed: z.boolean(),
})

/** A repository that the service knows, with the state of the installation it belongs to. */
export type Repository = z.infer<typeof Repository>

const columns = sql.fragment`
  r.id, r.installation_id, r.owner, r.name, r.full_name, r.default_branch, r.default_graph_id,
  r.stack_count, r.archived, i.suspended_at is not null as suspended,
  i.paused_at is not null as paused, r.removed_at is not null or i.removed_at is not null as removed`

const from = sql.fragment`from repositories r join installations i on i.id = r.installation_id`

/** A query of the repositories with these ids. */
export const repositoriesById = (ids: number[]): FragmentSqlToken =>
  sql.fragment`select ${columns} ${from} where r.id = any(${sql.array(ids, 'int8')})`

export const findRepositories = (db: Reader, ids: number[]): Promise<readonly Repository[]> =>
  db.any(sql.type(Repository)`${repositoriesById(ids)}`)

/** By owner/name in any letter case; if several had the name, the one that is not removed. */
export const findRepositoryNamed = async (db: Reader, fullName: string): Promise<Repository | undefined> =>
  (await db.maybeOne(sql.type(Repository)`
    select ${columns} ${from} where lower(r.full_name) = lower(${fullName})
    order by r.removed_at is not null, r.updated_at desc, r.id limit 1`)) ?? undefined

/** The same for a caller, who does not learn of a repository that is gone or that they may not see. */
export const findSeenRepository = async (db: Reader, sight: Sight, fullName: string): Promise<Repository | undefined> =>
  (await db.maybeOne(sql.type(Repository)`
    select ${columns} ${from}
    where lower(r.full_name) = lower(${fullName}) and r.removed_at is null and i.removed_at is null
      and ${isVisible(sight, sql.fragment`r.id`)}
    order by r.updated_at desc, r.id limit 1`)) ?? undefined

export type RepositoryRow = Pick<
  Repository,
  'id' | 'installation_id' | 'owner' | 'name' | 'default_branch' | 'archived'
>

/**
 * Records repositories as the code host shows them now. A rename or a transfer keeps the id, and with it the history; the old
 * name is kept for configurations that still use it (external-edges.ts). If a repository comes back, or has a new default
 * branch, its configuration counts as unread.
 */
export const putRepositories = async (tx: Tx, rows: RepositoryRow[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    with renamed as (
      insert into former_names (repo_id, name)
      select r.id, lower(r.full_name) from ${sql.unnest(
        rows.map((row) => [row.id, `${row.owner}/${row.name}`]),
        ['int8', 'text'],
      )} as t(id, full_name) join repositories r on r.id = t.id and lower(r.full_name) <> lower(t.full_name)
      on conflict do nothing)
    insert into repositories as r (id, installation_id, owner, name, default_branch, archived)
    select * from ${sql.unnest(
      rows.map((row) => [row.id, row.installation_id, row.owner, row.name, row.default_branch, row.archived]),
      ['int8', 'int8', 'text', 'text', 'text', 'bool'],
    )}
    on conflict (id) do update set owner = excluded.owner,
      name = excluded.name, default_branch = excluded.default_branch, archived = excluded.archived,
      config_read_at = case
        when r.removed_at is null and r.default_branch = excluded.default_branch and r.archived = excluded.archived
        then r.config_read_at end,
      removed_at = null, updated_at = now()`)
}

/** Marks as removed the repositories that an installation no longer lists. */
export const removeRepositoriesExcept = async (tx: Tx, installationId: number, ids: number[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update repositories set removed_at = now()
    where installation_id = ${installationId} and removed_at is null and id <> all(${sql.array(ids, 'int8')})`)
}

/** Serialises what is done under the repository's row: its default graph, versions of its tags, drift checks. */
export const lockRepository = async (tx: Tx, repoId: number): Promise<void> => {
  await tx.query(sql.type(nothing)`select id from repositories where id = ${repoId} for no key update`)
}

/**
 * Sets the default-branch graph to that of the pull request merged last into the default branch, of those with a graph, in
 * whatever order merges and graphs became known here. Without one, it stays as it is.
 */
export const settleDefaultGraph = async (tx: Tx, repoId: number): Promise<void> => {
  // lock first, then read: this sees what another transaction merged meanwhile
  await lockRepository(tx, repoId)
  await tx.query(sql.type(nothing)`
    update repositories r set default_graph_id = last.graph_id, updated_at = now()
    from (
      select g.id as graph_id from repositories d
      join pull_requests p on p.installation_id = d.installation_id and p.repo_id = d.id and p.base_ref = d.default_branch
      cross join lateral (
        select id from graphs where installation_id = d.installation_id and repo_id = p.repo_id and sha = p.head_sha
        order by created_at desc, id desc limit 1) g
      where d.id = ${repoId} and p.merged_at is not null
      order by p.merged_at desc, p.number desc limit 1) last
    where r.id = ${repoId} and r.default_graph_id is distinct from last.graph_id`)
  await listStacks(tx, repoId)
}

/**
 * Keeps `apply.mode` of the configuration that was read at `readAt`, for pages that say what comes next without asking the
 * code host. What was read later stays.
 */
export const noteApplyMode = async (db: Reader, repoId: number, mode: string, readAt: Date): Promise<void> => {
  await db.query(sql.type(nothing)`
    update repositories set apply_mode = ${mode}
    where id = ${repoId} and coalesce(config_read_at, '-infinity') <= ${readAt.toISOString()}
      and apply_mode is distinct from ${mode}`)
}
