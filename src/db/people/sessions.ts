import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'

export const SessionRow = z.object({
  token_hash: z.string(),
  user_id: z.number(),
  login: z.string(),
  avatar_url: z.string(),
  orgs: z.array(z.string()),
  account_ids: z.array(z.number()),
  owned_ids: z.array(z.number()),
})

/** A signed-in person: who they are, the accounts whose repositories they see, and the accounts they own. */
export type SessionRow = z.infer<typeof SessionRow>

export type NewSession = SessionRow & { created_at: Date; expires_at: Date }

/** Adds a session, and removes expired ones. */
export const addSession = async (tx: Tx, session: NewSession): Promise<void> => {
  await tx.query(sql.type(nothing)`
    delete from sessions where expires_at <= ${session.created_at.toISOString()}`)
  await tx.query(sql.type(nothing)`
    insert into sessions (token_hash, user_id, login, avatar_url, orgs, account_ids, owned_ids, created_at,
      expires_at)
    values (${session.token_hash}, ${session.user_id}, ${session.login}, ${session.avatar_url},
      ${sql.array(session.orgs, 'text')}, ${sql.array(session.account_ids, 'int8')},
      ${sql.array(session.owned_ids, 'int8')}, ${session.created_at.toISOString()}, ${session.expires_at.toISOString()})`)
}

const FoundSession = SessionRow.extend({ wrote_at: z.string().nullable() })

/** A session as a request finds it: `wrote_at` is how far the log went when it last did something. */
export type FoundSession = z.infer<typeof FoundSession>

/** Sessions with these hashes that have not expired. */
export const findSessions = (db: Reader, hashes: string[], now: Date): Promise<readonly FoundSession[]> =>
  db.any(sql.type(FoundSession)`
    select token_hash, user_id, login, avatar_url, orgs, account_ids, owned_ids, wrote_at::text as wrote_at from sessions
    where token_hash = any(${sql.array(hashes, 'text')}) and expires_at > ${now.toISOString()}`)

export const removeSession = async (db: Reader, hash: string): Promise<void> => {
  await db.query(sql.type(nothing)`delete from sessions where token_hash = ${hash}`)
}

const TokenHashRow = z.object({ token_hash: z.string() })

/** Ends every session of a person, on all their devices; returns how many there were. */
export const removeSessionsOf = async (db: Reader, userId: number): Promise<number> => {
  const ended = await db.any(sql.type(TokenHashRow)`
    delete from sessions where user_id = ${userId} returning token_hash`)
  return ended.length
}
