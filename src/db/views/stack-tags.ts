import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const Tagged = z.object({ key: z.string(), tags: z.array(z.string()) })

/**
 * The tags of a repository's stacks: as a graph has them, and of stacks that it does not have as the default branch's graph does.
 * Stacks without any are left out.
 */
export const tagsOfStacks = async (
  db: Reader,
  repoId: number,
  graphId: string | null,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db.any(sql.type(Tagged)`
    with own as (
      select t.key, t.node from graphs g, jsonb_to_recordset(g.listing) as t(key text, node jsonb)
      where g.installation_id = ${ofRepository(db, repoId)} and g.id = ${graphId}::uuid)
    select key, node->'tags' as tags from own where node ? 'tags'
    union all
    select s.key, s.node->'tags' from stacks s
    where s.installation_id = ${ofRepository(db, repoId)} and s.repo_id = ${repoId} and s.listed and s.node ? 'tags'
      and s.key not in (select key from own)`)
  return new Map(rows.map(({ key, tags }) => [key, tags]))
}
