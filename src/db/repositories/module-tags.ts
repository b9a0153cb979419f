import { z } from 'zod'
import type { ModuleVersion } from '#domain/module-version.ts'
import { jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const TagRow = z.object({ tag: z.string(), sha: z.string(), tagged_at: z.date().nullable() })

/** A tag that holds a version. */
export type TagRow = z.infer<typeof TagRow>

export const tagsOfRepository = (db: Reader, repoId: number): Promise<readonly TagRow[]> =>
  db.any(sql.type(TagRow)`select tag, sha, tagged_at from module_tags
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} order by tag`)

/** Replaces the tags of a repository with those given; an unknown date stays what it was, unless the tag moved. */
export const putTags = async (
  tx: Tx,
  repoId: number,
  tags: readonly { tag: string; sha: string; tagged_at: string | null }[],
  now: Date,
): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update repositories set tags_read_at = ${now.toISOString()} where id = ${repoId}`)
  const names = sql.array(
    tags.map(({ tag }) => tag),
    'text',
  )
  await tx.query(sql.type(nothing)`
    delete from module_tags where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} and tag <> all(${names})`)
  await tx.query(sql.type(nothing)`
    insert into module_tags (installation_id, repo_id, tag, sha, tagged_at)
    select ${ofRepository(tx, repoId)}, ${repoId}, tag, sha, tagged_at
    from jsonb_to_recordset(${jsonRows(tags)}) as t(tag text, sha text, tagged_at timestamptz) order by tag
    on conflict (installation_id, repo_id, tag) do update set sha = excluded.sha, tagged_at = coalesce(excluded.tagged_at,
      case when module_tags.sha = excluded.sha then module_tags.tagged_at end)`)
}

/** Replaces the versions of the families kept in a repository with those given, by the family's id. */
export const putVersions = async (
  tx: Tx,
  repoId: number,
  versions: ReadonlyMap<string, readonly ModuleVersion[]>,
): Promise<void> => {
  const modules = sql.array([...versions.keys()], 'uuid')
  // also versions from an earlier repository of the name, and versions of families that have moved elsewhere
  await tx.query(sql.type(nothing)`
    delete from module_versions where repo_id = ${repoId} or (installation_id, module_id) in (
      select installation_id, id from modules where id = any(${modules}))`)
  const rows = [...versions].flatMap(([module, list]) => list.map((version) => ({ module, ...version })))
  await tx.query(sql.type(nothing)`
    insert into module_versions (installation_id, module_id, precedence, repo_id, tag, counts, newer)
    select m.installation_id, m.id, precedence, ${repoId}, tag, counts, newer
    from jsonb_to_recordset(${jsonRows(rows)})
      as t(module uuid, precedence text, tag text, counts boolean, newer int) join modules m on m.id = t.module`)
}
