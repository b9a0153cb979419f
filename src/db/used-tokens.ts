import { z } from 'zod'
import { type Reader, sql } from './sql.ts'

export type UsedToken = { jtiHash: string; expiresAt: Date }

/** Claims token ids, in one statement for as many requests as wait, and answers those that nobody had claimed before. */
export const claimTokens = async (db: Reader, tokens: UsedToken[]): Promise<Set<string>> => {
  const rows = await db.any(sql.type(z.object({ jti_hash: z.string() }))`
    insert into used_tokens (jti_hash, expires_at)
    select distinct on (jti_hash) * from ${sql.unnest(
      tokens.map((token) => [token.jtiHash, token.expiresAt.toISOString()]),
      ['text', 'timestamptz'],
    )} as t(jti_hash, expires_at)
    order by jti_hash
    on conflict (jti_hash) do nothing
    returning jti_hash`)
  return new Set(rows.map((row) => row.jti_hash))
}
