import { z } from 'zod'
import { driftIssuesOfUnlisted } from '#db/drift/drift-issues.ts'
import { countListed } from '#db/machines/stack-standings.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'
import { putExternalEdges } from './external-edges.ts'

const Wanted = z.object({ graph_id: z.string() })

/** The graph that the stacks should be listed by, if they are listed by another one. */
const listedByAnother = (tx: Tx, repoId: number) => sql.type(Wanted)`
  select n.graph_id from repositories r cross join lateral (select coalesce(r.default_graph_id,
    (select id from graphs where installation_id = ${ofRepository(tx, repoId)} and repo_id = r.id order by created_at desc, id desc limit 1)) as graph_id) n
  where r.id = ${repoId} and n.graph_id is not null and r.listed_graph_id is distinct from n.graph_id`

/**
 * Lists a repository's stacks as its default-branch graph has them, or before the first merge as the newest graph has them;
 * does nothing if they are already listed so. Every stack of the graph must have its row before this. The repository's row is
 * locked: nothing else writes its stacks.
 */
export const listStacks = async (tx: Tx, repoId: number): Promise<void> => {
  if (!(await tx.maybeOne(listedByAnother(tx, repoId)))) return
  await tx.query(sql.type(z.object({}))`select id from repositories where id = ${repoId} for no key update`)
  // another transaction may have listed them while this one waited for the lock
  const wanted = await tx.maybeOne(listedByAnother(tx, repoId))
  if (!wanted) return
  const owner = ofRepository(tx, repoId)
  await tx.query(sql.type(z.object({}))`
    update stacks s set listed = g.key is not null, node = coalesce(g.node, s.node),
      dependencies = coalesce(g.dependencies, '{}'), dependents = coalesce(g.dependents, '{}')
    from stacks o left join (
      select t.* from graphs, jsonb_to_recordset(listing)
        as t(key text, node jsonb, dependencies text[], dependents text[])
      where installation_id = ${owner} and id = ${wanted.graph_id}) g on g.key = o.key
    where o.installation_id = ${owner} and o.repo_id = ${repoId} and s.installation_id = ${owner} and s.id = o.id
      and (o.listed, o.node, o.dependencies, o.dependents) is distinct from
        (g.key is not null, coalesce(g.node, o.node), coalesce(g.dependencies, '{}'), coalesce(g.dependents, '{}'))`)
  await countListed(tx, repoId)
  await tx.query(sql.type(z.object({}))`
    update repositories set listed_graph_id = ${wanted.graph_id}, stack_count = (
      select count(*) from stacks where installation_id = ${owner} and repo_id = ${repoId} and listed)
    where id = ${repoId}`)
  await putExternalEdges(tx, repoId, wanted.graph_id)
  await addJobs(tx, [
    makeJob('index_modules', { repo_id: repoId }, { cause: null }),
    ...(await driftIssuesOfUnlisted(tx, repoId)),
  ])
}
