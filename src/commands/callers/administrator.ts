import { hasAllOpenAccounts } from '#db/repositories/installations.ts'
import type { Reader } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from './caller.ts'

/**
 * Automation counts as an administrator (docs/interface.md, 'Authentication'), and so does a person who owns every account
 * that the service serves: a view of the whole service shows them nothing that is not theirs. The accounts a person owns were
 * learned at sign-in; the accounts that have the app are asked for now, so the right ends with the first account that belongs
 * to someone else.
 */
export const isAdministrator = async (db: Reader, caller: PersonOrKey): Promise<boolean> =>
  caller.kind === 'key' || hasAllOpenAccounts(db, caller.ownedIds)

/** For what concerns the whole service and not a repository that the caller sees. */
export const permitAdministrator = async (db: Reader, caller: PersonOrKey): Promise<void> => {
  if (await isAdministrator(db, caller)) return
  throw new Problem(
    'forbidden',
    'only administrators may look into the queue: API keys, and people who own every account that has the app',
  )
}
