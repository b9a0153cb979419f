import { z } from 'zod'
import { listed } from '#db/machines/stack-snapshot.ts'
import { runStackPath } from '../machines/run-stack-path.ts'
import { type Reader, sql } from '../sql.ts'
import { ofRepository, ofRun } from '../tenant.ts'

const GraphText = z.object({ sha: z.string(), body: z.string(), stack_ids: z.string() })

/** A stored graph as JSON texts: the graph itself, and an object with the ids of its stacks by key. */
export type GraphText = z.infer<typeof GraphText>

const Id = z.object({ id: z.string() })

export const findGraphText = async (db: Reader, repoId: number, id: string): Promise<GraphText | undefined> =>
  (await db.maybeOne(sql.type(GraphText)`
    select g.sha, g.body, (
      select coalesce(json_object_agg(s.key, s.id order by s.key collate "C"), '{}')::text
      from jsonb_to_recordset(g.listing) as t(key text) cross join lateral (
        select key, id from stacks where installation_id = g.installation_id and repo_id = g.repo_id and key = t.key limit 1) s) as stack_ids
    from graphs g where g.installation_id = ${ofRepository(db, repoId)} and g.id = ${id}`)) ?? undefined

const CompactText = z.object({ sha: z.string(), compact: z.string().nullable() })

/** A stored graph's compact form as JSON text; null of a graph that was stored before there was one. */
export const findCompactText = async (
  db: Reader,
  repoId: number,
  id: string,
): Promise<z.infer<typeof CompactText> | undefined> =>
  (await db.maybeOne(sql.type(CompactText)`
    select sha, compact from graphs where installation_id = ${ofRepository(db, repoId)} and id = ${id}`)) ?? undefined

const ShaRow = z.object({ sha: z.string() })

/**
 * Commits with a recorded graph that begin with the prefix, or whose merge into the default branch made a commit that does. At
 * most two, since two are already ambiguous. The range ends at the first text after all hexadecimal digits, so an ordinary
 * index finds it in any locale.
 */
export const commitsBeginning = async (db: Reader, repoId: number, prefix: string): Promise<readonly string[]> =>
  db.anyFirst(sql.type(ShaRow)`
    select sha from (
      select sha from graphs where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and sha >= ${prefix}
        and sha < ${`${prefix}g`}
      union
      select p.head_sha from pull_requests p join repositories r on r.id = p.repo_id and r.default_branch = p.base_ref
      where p.installation_id = ${ofRepository(db, repoId)} and p.repo_id = ${repoId} and p.merge_commit_sha >= ${prefix}
        and p.merge_commit_sha < ${`${prefix}g`}
        and exists (select from graphs g where g.installation_id = p.installation_id and g.repo_id = p.repo_id and g.sha = p.head_sha)) c
    order by sha limit 2`)

/** The newest graph of a commit. */
export const graphOfCommit = async (db: Reader, repoId: number, sha: string): Promise<string | undefined> =>
  (await db.maybeOneFirst(sql.type(Id)`
    select id from graphs where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and sha = ${sha}
    order by created_at desc, id desc limit 1`)) ?? undefined

export const newestGraph = async (db: Reader, repoId: number): Promise<string | undefined> =>
  (await db.maybeOneFirst(sql.type(Id)`
    select id from graphs where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId}
    order by created_at desc, id desc limit 1`)) ?? undefined

const AffectedRow = z.object({
  key: z.string(),
  path: z.string(),
  wave: z.number(),
  reasons: z.array(z.string()),
  via: z.array(z.string()),
  environment: z.string().nullable(),
  tool: z.string().nullable(),
  tool_version: z.string().nullable(),
  plan_output: z.string(),
  instance: z.string().nullable(),
  workspace: z.string().nullable(),
})

/** The stacks of a run as resolved, by wave and key. */
export const affectedOfRun = (db: Reader, runId: string): Promise<readonly z.infer<typeof AffectedRow>[]> =>
  db.any(sql.type(AffectedRow)`
    select key, ${runStackPath(sql.fragment`run_stacks`)}, wave, reasons, ${listed(sql.fragment`via`)} as via, environment, tool, tool_version, plan_output, instance, workspace
    from run_stacks where installation_id = ${ofRun(db, runId)} and run_id = ${runId} order by wave, key collate "C"`)
