import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'

export type UsedToken = { jti_hash: string; expires_at: Date }

/** Claims token ids, in one statement for all waiting requests, and returns those that were not claimed before. */
export const claimTokens = async (db: Reader, tokens: UsedToken[]): Promise<Set<string>> => {
  const rows = await db.any(sql.type(z.object({ jti_hash: z.string() }))`
    insert into used_tokens (jti_hash, expires_at)
    select distinct on (jti_hash) * from ${sql.unnest(
      tokens.map((token) => [token.jti_hash, token.expires_at.toISOString()]),
      ['text', 'timestamptz'],
    )} as t(jti_hash, expires_at)
    order by jti_hash
    on conflict (jti_hash) do nothing
    returning jti_hash`)
  return new Set(rows.map((row) => row.jti_hash))
}
