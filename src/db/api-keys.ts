import { z } from 'zod'
import { type Reader, sql } from './sql.ts'

/** Names of the keys with these hashes (hex SHA-256) that are not revoked, by hash. The last use is noted once a minute. */
export const findApiKeys = async (db: Reader, hashes: string[]): Promise<Map<string, string>> => {
  const wanted = sql.array(hashes, 'text')
  const rows = await db.any(sql.type(z.object({ key_hash: z.string(), name: z.string() }))`
    with used as (
      update api_keys set last_used_at = now()
      where key_hash = any(${wanted}) and revoked_at is null
        and (last_used_at is null or last_used_at < now() - interval '1 minute'))
    select key_hash, name from api_keys where key_hash = any(${wanted}) and revoked_at is null`)
  return new Map(rows.map((row) => [row.key_hash, row.name]))
}
