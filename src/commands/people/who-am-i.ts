import type { Reader } from '#db/sql.ts'
import type { PersonOrKey } from '../caller.ts'
import { isAdministrator } from './administrator.ts'

/** The caller as themselves (spec, 'Whoami'). */
export const whoAmI = async (db: Reader, caller: PersonOrKey) => ({
  ...(caller.kind === 'key' ? { login: `apikey:${caller.name}`, orgs: [] } : ofPerson(caller)),
  admin: await isAdministrator(db, caller),
})

const ofPerson = ({ login, avatarUrl, orgs }: Extract<PersonOrKey, { kind: 'person' }>) => ({
  login,
  ...(avatarUrl === '' ? {} : { avatar_url: avatarUrl }),
  orgs: [...orgs],
})
