import { z } from 'zod'
import { driftIssuesOfUnlisted } from '#db/drift/drift-issues.ts'
import { countListed } from '#db/machines/stack-standings.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { nothing, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'
import { putExternalEdges } from './external-edges.ts'

const Wanted = z.object({ graph_id: z.string() })

/** The graph that the stacks should be listed by, if they are listed by another one. */
const listedByAnother = (tx: Tx, repoId: number) => sql.type(Wanted)`
  select n.graph_id from repositories r cross join lateral (select coalesce(r.default_graph_id,
    (select id from graphs where installation_id = ${ofRepository(tx, repoId)} and repo_id = r.id order by created_at desc, id desc limit 1)) as graph_id) n
  where r.id = ${repoId} and n.graph_id is not null and r.listed_graph_id is distinct from n.graph_id`

/** Whether listing the stacks would change anything; most uploads after the first merge find that it would not. */
export const isListedByAnother = async (tx: Tx, repoId: number): Promise<boolean> =>
  (await tx.maybeOne(listedByAnother(tx, repoId))) !== null

/**
 * Writes what differs. Each stack of the graph is looked up by its key, and one that has its row always conflicts with it: an update
 * would join the two. Postgres takes any listing for 100 rows, and with counts of its rows from before a large upload it compared each of
 * 20,000 stacks with each, for longer than a statement may take.
 */
const listThoseOf = async (tx: Tx, repoId: number, graphId: string): Promise<void> => {
  const owner = ofRepository(tx, repoId)
  await tx.query(sql.type(nothing)`
    insert into stacks as s (installation_id, id, repo_id, key, listed, node, dependencies, dependents)
    select o.installation_id, o.id, o.repo_id, o.key, true, t.node, t.dependencies, t.dependents
    from graphs g
    cross join lateral jsonb_to_recordset(g.listing) as t(key text, node jsonb, dependencies text[], dependents text[])
    cross join lateral (
      select * from stacks where installation_id = ${owner} and repo_id = ${repoId} and key = t.key limit 1) o
    where g.installation_id = ${owner} and g.id = ${graphId}
    on conflict (installation_id, repo_id, key) do update
    set listed = true, node = excluded.node, dependencies = excluded.dependencies, dependents = excluded.dependents
    where not s.listed
      or (s.node, s.dependencies, s.dependents) is distinct from (excluded.node, excluded.dependencies, excluded.dependents)`)
  await tx.query(sql.type(nothing)`
    update stacks set listed = false, dependencies = '{}', dependents = '{}'
    where installation_id = ${owner} and repo_id = ${repoId} and (listed or dependencies <> '{}' or dependents <> '{}')
      and key not in (
        select t.key from graphs g cross join lateral jsonb_to_recordset(g.listing) as t(key text)
        where g.installation_id = ${owner} and g.id = ${graphId})`)
}

/**
 * Lists a repository's stacks as its default-branch graph has them, or before the first merge as the newest graph has them;
 * does nothing if they are already listed so. Every stack of the graph must have its row before this. The repository's row is
 * locked: nothing else writes its stacks.
 */
export const listStacks = async (tx: Tx, repoId: number): Promise<void> => {
  if (!(await isListedByAnother(tx, repoId))) return
  await tx.query(sql.type(nothing)`select id from repositories where id = ${repoId} for no key update`)
  // another transaction may have listed them while this one waited for the lock
  const wanted = await tx.maybeOne(listedByAnother(tx, repoId))
  if (!wanted) return
  const owner = ofRepository(tx, repoId)
  await listThoseOf(tx, repoId, wanted.graph_id)
  await countListed(tx, repoId)
  await tx.query(sql.type(nothing)`
    update repositories set listed_graph_id = ${wanted.graph_id}, stack_count = (
      select count(*) from stacks where installation_id = ${owner} and repo_id = ${repoId} and listed)
    where id = ${repoId}`)
  await putExternalEdges(tx, repoId, wanted.graph_id)
  await addJobs(tx, [
    makeJob('index_modules', { repo_id: repoId }, { cause: null }),
    ...(await driftIssuesOfUnlisted(tx, repoId)),
  ])
}
