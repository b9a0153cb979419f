import { z } from 'zod'
import { bytesOf, type FragmentSqlToken, nothing, type Reader, sql, type Tx, textOfBytes } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const StoredGraph = z.object({ id: z.string(), sha: z.string(), body: z.string() })

/** A graph as it was uploaded: `body` is its JSON text. */
export type StoredGraph = z.infer<typeof StoredGraph>

const Id = z.object({ id: z.string() })

/**
 * Stores a graph, its outline, its compact form and the stacks that it would list, each as UTF-8 JSON text; the same graph of the same commit
 * is stored once. Returns its id. Two statements: the 12 MB of 6,000 stacks held the event loop for 84 ms when they were bound at once.
 */
export const putGraph = async (
  tx: Tx,
  graph: {
    id: string
    repo_id: number
    sha: string
    tree_hash: string
    body: Uint8Array
    outline: Uint8Array
    listing: Uint8Array
    compact: Uint8Array
  },
): Promise<string> => {
  const row = await tx.one(sql.type(Id)`
    insert into graphs (installation_id, id, repo_id, sha, tree_hash, body, listing)
    values (${ofRepository(tx, graph.repo_id)}, ${graph.id}, ${graph.repo_id}, ${graph.sha}, ${graph.tree_hash}, ${textOfBytes(graph.body)}, '[]')
    on conflict (installation_id, repo_id, sha, tree_hash) do update set body = excluded.body, created_at = now()
    returning id`)
  await tx.query(sql.type(nothing)`
    update graphs set listing = convert_from(t.listing, 'UTF8')::jsonb, listing_digest = sha256(t.listing),
      compact = ${textOfBytes(graph.compact)}, outline = ${textOfBytes(graph.outline)}
    from (select ${bytesOf(graph.listing)}::bytea as listing) t
    where installation_id = ${ofRepository(tx, graph.repo_id)} and id = ${row.id}`)
  return row.id
}

/** Whether a graph with this hash is stored: the answer's `cached`. */
export const hasTree = (db: Reader, repoId: number, treeHash: string): Promise<boolean> =>
  db.exists(sql.type(Id)`
    select id from graphs where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and tree_hash = ${treeHash}`)

/** A graph of a repository. */
export const findGraph = async (db: Reader, repoId: number, id: string): Promise<StoredGraph | undefined> =>
  (await db.maybeOne(sql.type(StoredGraph)`
    select id, sha, body from graphs where installation_id = ${ofRepository(db, repoId)} and id = ${id}`)) ?? undefined

const EdgesText = z.object({ text: z.string(), isCompact: z.boolean() })

/** What a graph's edges are read from, as JSON text: its compact form, or the graph if it was stored before there was one. */
export const findEdgesText = async (
  db: Reader,
  repoId: number,
  id: string,
): Promise<z.infer<typeof EdgesText> | undefined> =>
  (await db.maybeOne(sql.type(EdgesText)`
    select coalesce(compact, body) as text, compact is not null as "isCompact" from graphs
    where installation_id = ${ofRepository(db, repoId)} and id = ${id}`)) ?? undefined

/** The default-branch graph; before the first merge, the newest graph. */
export const findReferenceGraph = async (db: Reader, repoId: number): Promise<StoredGraph | undefined> =>
  (await db.maybeOne(sql.type(StoredGraph)`
    select g.id, g.sha, g.body from graphs g where ${isReference(db, repoId)}`)) ?? undefined

const ReferenceText = z.object({ text: z.string(), isOutline: z.boolean() })

/** The JSON text of the same graph, or of its outline: of a graph that was stored before there were any, the graph all the same. */
export const findReferenceText = async (
  db: Reader,
  repoId: number,
  what: 'outline' | 'graph',
): Promise<z.infer<typeof ReferenceText> | undefined> => {
  const outline = what === 'outline' ? sql.fragment`g.outline` : sql.fragment`null::text`
  return (
    (await db.maybeOne(sql.type(ReferenceText)`
      select coalesce(${outline}, g.body) as text, ${outline} is not null as "isOutline" from graphs g where ${isReference(db, repoId)}`)) ??
    undefined
  )
}

const isReference = (db: Reader, repoId: number): FragmentSqlToken => sql.fragment`
  g.installation_id = ${ofRepository(db, repoId)} and g.id = coalesce(
    (select default_graph_id from repositories where id = ${repoId}),
    (select id from graphs where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} order by created_at desc, id desc limit 1))`
