import { z } from 'zod'
import { type FragmentSqlToken, jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'
import { namesOf } from './repository-names.ts'

/**
 * Notes what the stacks of a repository depend on in other repositories, from a graph's listing; replaces what was noted
 * before.
 */
export const putExternalEdges = async (tx: Tx, repoId: number, graphId: string): Promise<void> => {
  await tx.query(sql.type(nothing)`
    delete from external_edges where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId}`)
  await tx.query(sql.type(nothing)`
    insert into external_edges (installation_id, stack_id, repo_id, upstream, upstream_repo, upstream_key, type)
    select s.installation_id, s.id, s.repo_id, u.key, u.repo, u.stack, u.type
    from graphs g
    cross join lateral jsonb_to_recordset(g.listing) as t(key text, upstreams jsonb)
    cross join lateral jsonb_to_recordset(t.upstreams) as u(key text, repo text, stack text, type text)
    cross join lateral (
      select * from stacks where installation_id = g.installation_id and repo_id = ${repoId} and key = t.key limit 1) s
    where g.installation_id = ${ofRepository(tx, repoId)} and g.id = ${graphId} and t.upstreams is not null
    on conflict do nothing`)
}

/** The names by which configurations find repository `u`. */
const namesOfUpstream = namesOf(sql.fragment`u`)

/**
 * Edges `e` of stacks `s` of repositories `d` to stacks `t` (key, path) of the repository `u`. Only of default branches, of
 * repositories where something can be planned, and of the account that owns `u`: another account's configuration starts
 * nothing and learns nothing. A directory's name means all of its instances.
 */
export const edgesToStacks = (stacks: FragmentSqlToken, upstreamRepoId: number): FragmentSqlToken => sql.fragment`
  repositories u join installations ui on ui.id = u.installation_id
  cross join lateral ${namesOfUpstream} as n
  cross join ${stacks} as t
  cross join lateral unnest(case when t.key = t.path then array[t.key] else array[t.key, t.path] end) as k(name)
  join external_edges e on e.upstream_repo = n.name and e.upstream_key = k.name and e.repo_id <> u.id
  join stacks s on s.installation_id = e.installation_id and s.id = e.stack_id
  join repositories d on d.id = e.repo_id and d.removed_at is null and not d.archived
    and d.listed_graph_id = d.default_graph_id
  join installations di on di.id = d.installation_id and di.removed_at is null and di.suspended_at is null
    and di.account_id = ui.account_id
  where u.id = ${upstreamRepoId}`

const ExternalDependent = z.object({
  key: z.string(),
  repo: z.string(),
  type: z.enum(['depends_on', 'reads_state']),
  stacks: z.array(z.string()),
})

/** A stack of another repository, `owner/repo//key`, that depends on stacks of this one. */
export type ExternalDependent = z.infer<typeof ExternalDependent>

const isNamedElsewhere = (db: Reader, repoId: number): Promise<boolean> =>
  db.exists(sql.type(nothing)`
    select from repositories u cross join lateral ${namesOfUpstream} as n
    join external_edges e on e.upstream_repo = n.name
    where u.id = ${repoId}`)

/** The stacks of other repositories that depend on any of these stacks of a repository. */
export const externalDependents = async (
  db: Reader,
  repoId: number,
  stacks: readonly { key: string; path: string }[],
): Promise<readonly ExternalDependent[]> => {
  if (stacks.length === 0) return []
  // nearly every repository is named nowhere else, and a large one's stacks need not be fetched to learn that
  if (!(await isNamedElsewhere(db, repoId))) return []
  const wanted = sql.fragment`jsonb_to_recordset(${jsonRows(stacks.map(({ key, path }) => ({ key, path })))})`
  return db.any(sql.type(ExternalDependent)`
    select d.full_name || '//' || s.key as key, d.full_name as repo, e.type, array_agg(distinct t.key order by t.key) as stacks
    from ${edgesToStacks(sql.fragment`(select * from ${wanted} as w(key text, path text))`, repoId)}
    group by 1, 2, 3 order by 1, 3`)
}
