import { z } from 'zod'
import { edgesToStacks } from '../repositories/external-edges.ts'
import { repositoriesNamed } from '../repositories/repository-names.ts'
import { type Reader, sql } from '../sql.ts'
import { ofStack } from '../tenant.ts'
import { isThere, isVisible, type Sight } from '../visibility.ts'

const Neighbour = z.object({
  id: z.string(),
  repo: z.string(),
  key: z.string(),
  relation: z.enum(['dependency', 'dependent']),
})

/** A stack that another depends on or whose state it reads, or one that does so with it, of any repository that the caller sees. */
export type Neighbour = z.infer<typeof Neighbour>

/** What is next to a listed stack by the default branches; another repository's key is that of a stack, or of a directory with instances. */
export const neighboursOfStack = (
  db: Reader,
  sight: Sight,
  { id, repoId, key, path }: { id: string; repoId: number; key: string; path: string },
): Promise<readonly Neighbour[]> => {
  const itself = sql.fragment`(values (${key}::text, ${path}::text))`
  return db.any(sql.type(Neighbour)`
    select distinct n.id, p.full_name as repo, n.key, n.relation from (
      select o.id, o.repo_id, o.key, case when o.key = any(s.dependencies) then 'dependency' else 'dependent' end as relation
      from stacks s join stacks o on o.installation_id = s.installation_id and o.repo_id = s.repo_id and o.listed
        and o.key = any(s.dependencies || s.dependents)
      where s.installation_id = ${ofStack(db, id)} and s.id = ${id}
      union all
      select o.id, o.repo_id, o.key, 'dependency'
      from external_edges e cross join lateral ${repositoriesNamed(sql.fragment`e.upstream_repo`)} as u
      join repositories r on r.id = u.id
      join stacks o on o.installation_id = r.installation_id and o.repo_id = r.id and o.listed
        and (o.key = e.upstream_key or starts_with(o.key, e.upstream_key || ':'))
      where e.installation_id = ${ofStack(db, id)} and e.stack_id = ${id} and ${isThere(sight, sql.fragment`u.id`)}
      union all
      select s.id, s.repo_id, s.key, 'dependent'
      from ${edgesToStacks(sql.fragment`(select * from ${itself} as w(key, path))`, repoId)}
        and ${isVisible(sight, sql.fragment`d.id`)}) n
    join repositories p on p.id = n.repo_id
    order by n.relation, p.full_name, n.key`)
}
