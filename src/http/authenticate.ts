import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '#clock.ts'
import type { OidcVerifier } from '#codehost/oidc.ts'
import type { Caller } from '#commands/callers/caller.ts'
import { refuseSuspended } from '#commands/callers/refuse-suspended.ts'
import { createBatch } from '#db/batch.ts'
import { findApiKeys } from '#db/people/api-keys.ts'
import { claimTokens, type TokenUse } from '#db/people/used-tokens.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Pool } from '#db/sql.ts'
import { limits } from '#domain/limits.ts'
import type { RunnerClaims } from '#domain/runner-claims.ts'
import { Problem } from '#errors.ts'
import { shortDigest } from '#short-digest.ts'
import { createFailedCredentials } from './failed-credentials.ts'

export type AuthenticateDeps = { pool: Pool; verifyToken: OidcVerifier; clock: Clock }

export type Authenticate = (request: FastifyRequest, admitsJobs: boolean) => Promise<Caller>

/**
 * Who sent a request: a CI job with its own OIDC token, or automation with an API key (docs/interface.md, 'Authentication'). A
 * token is claimed as its repository is looked up, by one statement: each is good for one request, whatever the result. Requests
 * that arrive together share it; nothing is cached, so revoking works at once.
 */
export const createAuthenticate = ({ pool, verifyToken, clock }: AuthenticateDeps): Authenticate => {
  const failed = createFailedCredentials(clock)
  const findKey = createBatch(async (hashes: string[]) => {
    const keys = await findApiKeys(pool, hashes)
    return (hash: string) => keys.get(hash)
  })
  const claimToken = createBatch(async (uses: TokenUse[]) => {
    const { claimed, repositories } = await claimTokens(pool, uses)
    return ({ jti_hash, repositoryId }: TokenUse) => ({
      // deleted with the answer: of two requests with one token in the same statement, only one comes first
      isFirstUse: claimed.delete(jti_hash),
      repository: repositories.get(repositoryId),
    })
  })

  const asKey = async (hash: string): Promise<Caller> => {
    const key = await findKey(hash)
    if (key === undefined) throw new Problem('unauthorized', 'the API key is unknown or revoked')
    return { kind: 'key', name: key.name, wroteAt: key.wrote_at ?? undefined }
  }
  const asRunner = async (token: string): Promise<Caller> => {
    const claims = await verifyToken(token)
    const { isFirstUse, repository } = await claimToken(usageOf(claims))
    if (!isFirstUse) throw new Problem('unauthorized', 'the token was already used: request a new one for every call')
    return { kind: 'runner', claims, repository: served(repository, claims) }
  }
  return async (request, admitsJobs) => {
    const credential = bearerOf(request)
    const hash = sha256(credential)
    if (failed.isBlocked(hash, request.ip)) {
      throw new Problem('unauthorized', 'this credential failed too often: try again in a minute')
    }
    try {
      if (credential.startsWith('sk_')) return await asKey(hash)
      // a job on a route for people has the wrong credentials, whatever its token is worth (docs/interface.md, 'People')
      if (!admitsJobs) throw new Problem('unauthorized', 'tokens of CI jobs are not accepted here: use an API key')
      return await asRunner(credential)
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthorized') failed.noteFailure(hash, request.ip)
      throw error
    }
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const bearerOf = ({ headers }: FastifyRequest): string => {
  const { authorization } = headers
  if (authorization === undefined) {
    throw new Problem(
      'unauthorized',
      'no credentials: sign in, or send Authorization: Bearer with an API key or the token of a CI job',
    )
  }
  const credential = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (credential === undefined) {
    throw new Problem('unauthorized', 'the Authorization header must be Bearer and one API key or token of a CI job')
  }
  return credential
}

/** Kept until the token is too old to pass, plus a minute for clocks that differ; only a hash of its id is stored, of 132 bits. */
const usageOf = ({ jti, issuedAt, repositoryId }: RunnerClaims): TokenUse => ({
  jti_hash: shortDigest(jti),
  repositoryId,
  expires_at: new Date(issuedAt.getTime() + (limits.tokenAgeSeconds + 60) * 1000),
})

const served = (repository: Repository | undefined, claims: RunnerClaims): Repository => {
  if (!repository || repository.removed) {
    throw new Problem(
      'forbidden',
      `repository ${claims.repository} is not known to this service: install the app on it and try again`,
    )
  }
  refuseSuspended(repository)
  return repository
}
