import type { Membership, Permission, PullFacts } from './facts.ts'

/** The code host's logins differ in more than letter case. */
export const sameLogin = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Undefined if nobody looked it up, or the code host did not say. */
export const permissionOf = ({ permissions }: Pick<PullFacts, 'permissions'>, login: string): Permission | undefined =>
  permissions.find((each) => sameLogin(each.login, login))?.permission

export const mayPush = (permission: Permission): boolean => permission === 'admin' || permission === 'write'

/** `platform` of the configuration file as `acme/platform`, in the letter case in which teams are compared. */
export const teamOf = (owner: string, slug: string): string =>
  (slug.includes('/') ? slug : `${owner}/${slug}`).toLowerCase()

/** Null if it is not known. */
export const isMember = (memberships: readonly Membership[], team: string, login: string): boolean | null =>
  memberships.find((each) => each.team.toLowerCase() === team.toLowerCase() && sameLogin(each.login, login))?.member ??
  null
