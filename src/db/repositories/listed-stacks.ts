import { z } from 'zod'
import { driftIssuesOfUnlisted } from '#db/drift/drift-issues.ts'
import { countListed } from '#db/machines/stack-standings.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { withIds } from '#ids.ts'
import { makeJob } from '#jobs/job.ts'
import { inPortions, jsonInPortions } from '#portions.ts'
import { type FragmentSqlToken, nothing, sql, type Tx, textOfBytes } from '../sql.ts'
import { ofRepository } from '../tenant.ts'
import { putExternalEdges } from './external-edges.ts'
import { findStackIds, type StackIds } from './stacks.ts'

const Wanted = z.object({ graph_id: z.string() })

/** The graph that the stacks should be listed by and are not; undefined for most uploads after the first merge. */
export const graphToListBy = async (tx: Tx, repoId: number): Promise<string | undefined> => {
  const wanted = await tx.maybeOne(sql.type(Wanted)`
    select n.graph_id from repositories r cross join lateral (select coalesce(r.default_graph_id,
      (select id from graphs where installation_id = ${ofRepository(tx, repoId)} and repo_id = r.id order by created_at desc, id desc limit 1)) as graph_id) n
    where r.id = ${repoId} and n.graph_id is not null and r.listed_graph_id is distinct from n.graph_id`)
  return wanted?.graph_id
}

type Added = {
  /** Of all stacks of the graph that it knows then. */
  ids: StackIds
  /** The repository had no stacks: there is nothing else to list, nor to take off the list. */
  areAll: boolean
}

/**
 * Adds those of a graph's stacks that are not there, as it lists them. Listing would write each of them a second time: for a repository's
 * first 6,000 that took some 360 ms. How they stand is said with the run that plans them, and of the others when they are listed: a row
 * that is written twice in a transaction has its keys checked twice.
 */
export const addListedStacks = async (
  tx: Tx,
  { repoId, graphId, keys }: { repoId: number; graphId: string; keys: readonly string[] },
): Promise<Added> => {
  const owner = ofRepository(tx, repoId)
  const hasOthers = await tx.exists(sql.type(nothing)`
    select from stacks where installation_id = ${owner} and repo_id = ${repoId} limit 1`)
  const ids = hasOthers ? await findStackIds(tx, repoId, keys) : new Map<string, string>()
  // in portions: the ids of 20,000 took 100 ms at once
  const missing = await inPortions(
    keys.filter((key) => !ids.has(key)),
    (portion) => withIds(portion.map((key) => ({ key }))),
  )
  if (missing.length === 0) return { ids, areAll: false }
  const { rowCount } = await tx.query(sql.type(nothing)`
    insert into stacks (installation_id, id, repo_id, key, listed, node, dependencies, dependents)
    select g.installation_id, n.id, ${repoId}, n.key, true, t.node, t.dependencies, t.dependents
    from graphs g
    cross join lateral jsonb_to_recordset(g.listing) as t(key text, node jsonb, dependencies text[], dependents text[])
    join jsonb_to_recordset(${textOfBytes(await jsonInPortions(missing))}::jsonb) as n(id uuid, key text) on n.key = t.key
    where g.installation_id = ${owner} and g.id = ${graphId}
    order by n.key collate "C"
    on conflict (installation_id, repo_id, key) do nothing`)
  // the list is no longer as the digest says, and another graph may be the newest before this one is noted
  await tx.query(sql.type(nothing)`update repositories set listed_digest = null where id = ${repoId}`)
  // others added some meanwhile: whose they are is not told by rows, which would be thousands
  if (rowCount < missing.length) return { ids, areAll: false }
  for (const { id, key } of missing) ids.set(key, id)
  return { ids, areAll: !hasOthers }
}

/**
 * Writes what differs, and touches no other: to conflict locks a row, whatever is set then. Each stack of the graph is looked up by its
 * key, and one that has its row always conflicts with it: an update would join the two. Postgres takes any listing for 100 rows, and with
 * counts of its rows from before a large upload it compared each of 20,000 stacks with each, for longer than a statement may take.
 */
const listThoseOf = async (tx: Tx, repoId: number, graphId: string): Promise<void> => {
  const owner = ofRepository(tx, repoId)
  await tx.query(sql.type(nothing)`
    insert into stacks (installation_id, id, repo_id, key, listed, node, dependencies, dependents)
    select o.installation_id, o.id, o.repo_id, o.key, true, t.node, t.dependencies, t.dependents
    from graphs g
    cross join lateral jsonb_to_recordset(g.listing) as t(key text, node jsonb, dependencies text[], dependents text[])
    cross join lateral (
      select * from stacks where installation_id = ${owner} and repo_id = ${repoId} and key = t.key limit 1) o
    where g.installation_id = ${owner} and g.id = ${graphId}
      and (not o.listed or (o.node, o.dependencies, o.dependents) is distinct from (t.node, t.dependencies, t.dependents))
    on conflict (installation_id, repo_id, key) do update
    set listed = true, node = excluded.node, dependencies = excluded.dependencies, dependents = excluded.dependents`)
  await tx.query(sql.type(nothing)`
    update stacks set listed = false, dependencies = '{}', dependents = '{}'
    where installation_id = ${owner} and repo_id = ${repoId} and (listed or dependencies <> '{}' or dependents <> '{}')
      and key not in (
        select t.key from graphs g cross join lateral jsonb_to_recordset(g.listing) as t(key text)
        where g.installation_id = ${owner} and g.id = ${graphId})`)
}

/**
 * Lists a repository's stacks as its default-branch graph has them, or before the first merge as the newest graph has them;
 * does nothing if they are already listed so. Every stack of the graph must have its row before this; `addedBy` is a graph as
 * which all of the repository's were just added. The repository's row is locked: nothing else writes its stacks.
 */
export const listStacks = async (tx: Tx, repoId: number, addedBy?: string): Promise<void> => {
  if ((await graphToListBy(tx, repoId)) === undefined) return
  await tx.query(sql.type(nothing)`select id from repositories where id = ${repoId} for no key update`)
  // another transaction may have listed them while this one waited for the lock
  const graphId = await graphToListBy(tx, repoId)
  if (graphId === undefined) return
  if (!(await areListedAs(tx, repoId, graphId))) {
    if (graphId !== addedBy) await listThoseOf(tx, repoId, graphId)
    await countListed(tx, repoId)
    await putExternalEdges(tx, repoId, graphId)
  }
  await noteListedBy(tx, repoId, graphId)
  await addJobs(tx, [
    // the listing does not say all of modules
    makeJob('index_modules', { repo_id: repoId }, { cause: null }),
    ...(await driftIssuesOfUnlisted(tx, repoId)),
  ])
}

/**
 * Whether the repository's stacks are listed as this graph has them, since another was the same: as most are that a push uploads. The digest
 * is of a graph's listing and its id, and says nothing once stacks were listed by a version that knows no digests.
 */
const areListedAs = (tx: Tx, repoId: number, graphId: string): Promise<boolean> =>
  tx.exists(sql.type(nothing)`
    select from graphs g join repositories r on r.id = ${repoId}
      and r.listed_digest = ${digestOf(sql.fragment`r.listed_graph_id`)}
    where g.installation_id = ${ofRepository(tx, repoId)} and g.id = ${graphId}`)

const digestOf = (graphId: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`sha256(g.listing_digest || uuid_send(${graphId}))`

const noteListedBy = async (tx: Tx, repoId: number, graphId: string): Promise<void> => {
  const owner = ofRepository(tx, repoId)
  await tx.query(sql.type(nothing)`
    update repositories set listed_graph_id = g.id, listed_digest = ${digestOf(sql.fragment`g.id`)}, stack_count = (
      select count(*) from stacks where installation_id = ${owner} and repo_id = ${repoId} and listed)
    from graphs g where g.installation_id = ${owner} and g.id = ${graphId} and repositories.id = ${repoId}`)
}
