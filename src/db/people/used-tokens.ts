import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'
import { unhurried } from '../unhurried.ts'

export type UsedToken = { jti_hash: string; expires_at: Date }

const JtiHashRow = z.object({ jti_hash: z.string() })

/**
 * Claims token ids, in one statement for all waiting requests, and returns those that were not claimed before. Other sessions see
 * the claim at once, but its commit does not wait for the disk: what the request itself writes is committed later, and takes the
 * claim to the disk before it. So a crash of the database can only lose the claim of a request that had changed nothing yet.
 */
export const claimTokens = async (db: Reader, tokens: UsedToken[]): Promise<Set<string>> => {
  const rows = await db.any(sql.type(JtiHashRow)`
    with ${unhurried}
    insert into used_tokens (jti_hash, expires_at)
    select distinct on (jti_hash) t.* from unhurried, ${sql.unnest(
      tokens.map((token) => [token.jti_hash, token.expires_at.toISOString()]),
      ['text', 'timestamptz'],
    )} as t(jti_hash, expires_at)
    order by jti_hash
    on conflict (jti_hash) do nothing
    returning jti_hash`)
  return new Set(rows.map((row) => row.jti_hash))
}
