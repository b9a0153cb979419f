import { isAdministrator } from '#commands/callers/administrator.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { Reader } from '#db/sql.ts'
import { commandWord } from '#domain/comments/comment-command.ts'

/** What differs between installations: where the code host and the metrics are, and which version serves it. */
export type Installed = { codehostUrl: string; dashboardUrl: string | undefined; version: string }

/** The caller's own view of themselves, and of the installation (docs/interface.md, 'Whoami'). */
export const whoAmI = async (db: Reader, caller: PersonOrKey, { codehostUrl, dashboardUrl, version }: Installed) => ({
  ...(caller.kind === 'key' ? { login: `apikey:${caller.name}`, orgs: [] } : ofPerson(caller)),
  admin: await isAdministrator(db, caller),
  codehost_url: codehostUrl,
  ...(dashboardUrl === undefined ? {} : { dashboard_url: dashboardUrl }),
  version,
  command: commandWord,
})

const ofPerson = ({ login, avatarUrl, orgs }: Extract<PersonOrKey, { kind: 'person' }>) => ({
  login,
  ...(avatarUrl === '' ? {} : { avatar_url: avatarUrl }),
  orgs: [...orgs],
})
