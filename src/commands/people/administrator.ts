import { Problem } from '#errors.ts'
import type { PersonOrKey } from '../caller.ts'

/** Automation counts as an administrator (spec, 'Authentication'), and nobody else does: `admin` of Whoami says the same. */
export const isAdministrator = (caller: PersonOrKey): boolean => caller.kind === 'key'

/** What concerns the whole service, and not a repository that somebody sees. */
export const permitAdministrator = (caller: PersonOrKey): void => {
  if (!isAdministrator(caller))
    throw new Problem('forbidden', 'only administrators may look into the queue: use an API key')
}
