import type { Person } from './person.ts'

/** The caller as themselves (spec, 'Whoami'). */
export const whoAmI = (caller: Person | { kind: 'key'; name: string }) =>
  caller.kind === 'key'
    ? { login: `apikey:${caller.name}`, orgs: [], admin: true }
    : {
        login: caller.login,
        ...(caller.avatarUrl === '' ? {} : { avatar_url: caller.avatarUrl }),
        orgs: [...caller.orgs],
        admin: false,
      }
