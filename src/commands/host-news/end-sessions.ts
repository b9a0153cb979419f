import type { RevokedFact } from '#codehost/fact.ts'
import { removeSessionsOf } from '#db/people/sessions.ts'
import type { Deps } from '../deps.ts'

/**
 * Ends every session of a person who revoked the app's authorization, whatever their login was when it began; false if there
 * was none.
 */
export const endSessions = async (
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  { accountId, login }: RevokedFact,
): Promise<boolean> => {
  const ended = await removeSessionsOf(pool, accountId)
  if (ended > 0) log.info({ login, sessions: ended }, 'sessions ended: the person revoked the authorization')
  return ended > 0
}
