import { z } from 'zod'
import { nothing, type Reader, sql } from '../sql.ts'

const UsedKey = z.object({ key_hash: z.string(), name: z.string(), wrote_at: z.string().nullable() })

/** A key as a request finds it: `wrote_at` is how far the log went when it last did something. */
export type UsedKey = z.infer<typeof UsedKey>

/** The unrevoked keys with these hashes (hex SHA-256), by hash. The last use is noted once a minute. */
export const findApiKeys = async (db: Reader, hashes: string[]): Promise<Map<string, UsedKey>> => {
  const wanted = sql.array(hashes, 'text')
  const rows = await db.any(sql.type(UsedKey)`
    with used as (
      update api_keys set last_used_at = now()
      where key_hash = any(${wanted}) and revoked_at is null
        and (last_used_at is null or last_used_at < now() - interval '1 minute'))
    select key_hash, name, wrote_at::text as wrote_at from api_keys where key_hash = any(${wanted}) and revoked_at is null`)
  return new Map(rows.map((row) => [row.key_hash, row]))
}

export const ApiKeyRow = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  created_by: z.string(),
  created_at: z.date(),
  revoked_at: z.date().nullable(),
  last_used_at: z.date().nullable(),
})

export type ApiKeyRow = z.infer<typeof ApiKeyRow>

const columns = sql.fragment`id, name, prefix, created_by, created_at, revoked_at, last_used_at`

/** Undefined if a key of this name is in use: the audit log identifies a key by its name. */
export const addApiKey = async (
  db: Reader,
  key: { name: string; key_hash: string; prefix: string; created_by: string },
): Promise<ApiKeyRow | undefined> =>
  (await db.maybeOne(sql.type(ApiKeyRow)`
    insert into api_keys (name, key_hash, prefix, created_by)
    select ${key.name}, ${key.key_hash}, ${key.prefix}, ${key.created_by}
    where not exists (select from api_keys where name = ${key.name} and revoked_at is null)
    returning ${columns}`)) ?? undefined

/** In the order they were created, revoked ones too. */
export const listApiKeys = (db: Reader): Promise<readonly ApiKeyRow[]> =>
  db.any(sql.type(ApiKeyRow)`select ${columns} from api_keys order by created_at, id`)

/** Revokes a key; a revoked key keeps its time of revocation. */
export const revokeApiKey = async (db: Reader, id: string): Promise<void> => {
  await db.query(sql.type(nothing)`
    update api_keys set revoked_at = now() where id = ${id} and revoked_at is null`)
}
