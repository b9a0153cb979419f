import type { Sight } from '#db/visibility.ts'

/** Somebody who is signed in (spec, 'Sign-in'): who they were at the code host when they signed in. */
export type Person = {
  kind: 'person'
  /** The code host's number of their account. */
  id: number
  login: string
  avatarUrl: string
  /** Logins of their organisations. */
  orgs: readonly string[]
  /** Their own account and those of their organisations: whose repositories they see. */
  accountIds: readonly number[]
  /** Those of them that are theirs: their own account, and organisations whose owners they are. */
  ownedIds: readonly number[]
  /** What their session is stored under. */
  sessionHash: string
}

/** What a caller of an endpoint for people sees: automation counts as an administrator. */
export const sightOf = (caller: Person | { kind: 'key' }): Sight =>
  caller.kind === 'key' ? 'everything' : { accountIds: caller.accountIds }
