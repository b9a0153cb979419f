import { z } from 'zod'
import { Repository, repositoriesById } from '../repositories/repositories.ts'
import { type Reader, sql } from '../sql.ts'
import { unhurried } from '../unhurried.ts'

/** A token that a request came with, and the repository that it names. */
export type TokenUse = { jti_hash: string; expires_at: Date; repositoryId: number }

export type Claims = {
  /** Hashes of those that were not claimed before. */
  claimed: Set<string>
  repositories: ReadonlyMap<number, Repository>
}

const ClaimsRow = z.object({ claimed: z.array(z.string()), repositories: z.array(Repository) })

/**
 * Claims token ids and finds their repositories, in one statement for all waiting requests. Other sessions see
 * the claim at once, but its commit does not wait for the disk: what the request itself writes is committed later, and takes the
 * claim to the disk before it. So a crash of the database can only lose the claim of a request that had changed nothing yet.
 */
export const claimTokens = async (db: Reader, uses: TokenUse[]): Promise<Claims> => {
  const ids = [...new Set(uses.map(({ repositoryId }) => repositoryId))]
  const { claimed, repositories } = await db.one(sql.type(ClaimsRow)`
    with ${unhurried}, claimed as (
      insert into used_tokens (jti_hash, expires_at)
      select distinct on (jti_hash) t.* from unhurried, ${sql.unnest(
        uses.map((token) => [token.jti_hash, token.expires_at.toISOString()]),
        ['text', 'timestamptz'],
      )} as t(jti_hash, expires_at)
      order by jti_hash
      on conflict (jti_hash) do nothing
      returning jti_hash)
    select array(select jti_hash from claimed) as claimed,
      (select coalesce(json_agg(f), '[]') from (${repositoriesById(ids)}) f) as repositories`)
  return { claimed: new Set(claimed), repositories: new Map(repositories.map((one) => [one.id, one])) }
}
