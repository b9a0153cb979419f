import type { Lsn } from '#db/replica/lsn.ts'
import type { Sight } from '#db/visibility.ts'

/** A signed-in person (docs/interface.md, 'Sign-in'), as the code host knew them when they signed in. */
export type Person = {
  kind: 'person'
  /** The code host's number of their account. */
  id: number
  login: string
  avatarUrl: string
  /** Logins of their organisations. */
  orgs: readonly string[]
  /** Their own account and their organisations' accounts: they see the repositories of these. */
  accountIds: readonly number[]
  /** The accounts they own: their own, and organisations they are an owner of. */
  ownedIds: readonly number[]
  /** The key their session is stored under. */
  sessionHash: string
  /** How far the database's log went when they last did something. */
  wroteAt?: Lsn | undefined
}

/** What a caller of an endpoint for people sees: automation counts as an administrator. */
export const sightOf = (caller: Person | { kind: 'key' }): Sight =>
  caller.kind === 'key' ? 'everything' : { accountIds: caller.accountIds }
