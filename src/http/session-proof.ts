import type { FastifyRequest } from 'fastify'
import type { Clock } from '#clock.ts'
import type { Person } from '#commands/callers/person.ts'
import { sessionHash } from '#commands/people/session-hash.ts'
import { createBatch } from '#db/batch.ts'
import { type FoundSession, findSessions } from '#db/people/sessions.ts'
import type { Pool } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import { readCookie } from './cookies.ts'
import { createFailedCredentials } from './failed-credentials.ts'

export type SessionDeps = { pool: Pool; clock: Clock; sessionKey: Buffer }

/**
 * The person of the cookie `svc_session`; undefined without the cookie. As with keys, nothing is cached, so signing out works
 * at once; look-ups of requests that arrive together share a statement.
 */
export const createSessionProof = ({ pool, clock, sessionKey }: SessionDeps) => {
  const failed = createFailedCredentials(clock)
  const find = createBatch(async (hashes: string[]) => {
    const rows = await findSessions(pool, [...new Set(hashes)], clock.now())
    const byHash = new Map(rows.map((row) => [row.token_hash, row]))
    return (hash: string) => byHash.get(hash)
  })
  return async (request: FastifyRequest): Promise<Person | undefined> => {
    const token = readCookie(request, 'svc_session')
    if (token === undefined) return undefined
    const hash = sessionHash(sessionKey, token)
    const row = failed.isBlocked(hash, request.ip) ? undefined : await find(hash)
    if (row) return personOf(row)
    failed.noteFailure(hash, request.ip)
    throw new Problem('unauthorized', 'the session has ended: sign in again')
  }
}

const personOf = (row: FoundSession): Person => ({
  kind: 'person',
  id: row.user_id,
  login: row.login,
  avatarUrl: row.avatar_url,
  orgs: row.orgs,
  accountIds: row.account_ids,
  ownedIds: row.owned_ids,
  sessionHash: row.token_hash,
  wroteAt: row.wrote_at ?? undefined,
})
