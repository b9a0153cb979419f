import { hasAllOpenAccounts } from '#db/installations.ts'
import type { Reader } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from '../caller.ts'

/**
 * Automation counts as an administrator (spec, 'Authentication'), and so does a person who owns every account that the
 * service serves: what concerns all of it shows them nothing that is not theirs. Whose account it is was learned at sign-in;
 * which accounts have the app is asked now, so that the right ends with the first that is another's.
 */
export const isAdministrator = async (db: Reader, caller: PersonOrKey): Promise<boolean> =>
  caller.kind === 'key' || hasAllOpenAccounts(db, caller.ownedIds)

/** What concerns the whole service, and not a repository that somebody sees. */
export const permitAdministrator = async (db: Reader, caller: PersonOrKey): Promise<void> => {
  if (await isAdministrator(db, caller)) return
  throw new Problem(
    'forbidden',
    'only administrators may look into the queue: API keys, and people who own every account that has the app',
  )
}
