import type { RevokedFact } from '#codehost/fact.ts'
import { removeSessionsOf } from '#db/sessions.ts'
import type { Deps } from '../deps.ts'

/**
 * Ends every session of a person who took the app's right to act for them back, whatever they were called when it began; false
 * where there was none.
 */
export const endSessions = async (
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  { accountId, login }: RevokedFact,
): Promise<boolean> => {
  const ended = await removeSessionsOf(pool, accountId)
  if (ended > 0) log.info({ login, sessions: ended }, 'sessions ended: the person revoked the authorization')
  return ended > 0
}
