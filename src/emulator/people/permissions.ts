import type { Membership, Team } from '#emulator/people-records.ts'
import { type PermissionLevel, permissionLevels } from '#emulator/permission-level.ts'
import type { Account, Repository } from '#emulator/records.ts'
import { accountOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** A person's highest permission in a repository: by name, as its owner, by teams. Everybody may read a public one. */
export const permissionOf = (world: World, repository: Repository, login: string): PermissionLevel => {
  const key = login.toLowerCase()
  const named = repository.collaborators.get(key)
  // An explicit none means a person who was removed, whatever else they are in.
  if (named === 'none') return 'none'
  const { owner } = repository
  const byTeams = [...world.store.teams.values()].flatMap((team) =>
    team.members.get(key)?.state === 'active' ? [team.grants.get(repository) ?? 'none'] : [],
  )
  const owns = owner.login.toLowerCase() === key || membershipIn(world, owner, login)?.role === 'admin'
  const levels: PermissionLevel[] = [
    named ?? 'none',
    ...byTeams,
    owns ? 'admin' : 'none',
    repository.private ? 'none' : 'read',
  ]
  return permissionLevels[Math.max(...levels.map((level) => permissionLevels.indexOf(level)))] ?? 'none'
}

const membershipIn = (world: World, organization: Account, login: string): Membership | undefined =>
  world.store.members.get(organization)?.get(login.toLowerCase())

export const isMember = (world: World, organization: Account, login: string): boolean =>
  membershipIn(world, organization, login)?.state === 'active'

/** Makes a person a member of an organisation, or removes them from it and its teams. */
export const setMembership = (
  world: World,
  organization: Account,
  login: string,
  membership: Membership | undefined,
): void => {
  const { store } = world
  const members = store.members.get(organization) ?? new Map<string, Membership>()
  store.members.set(organization, members)
  accountOf(store, login, 'User', world.clock())
  if (membership) members.set(login.toLowerCase(), membership)
  else members.delete(login.toLowerCase())
  if (membership) return
  for (const team of store.teams.values()) {
    if (team.organization === organization) team.members.delete(login.toLowerCase())
  }
}

export const findTeam = (world: World, organization: Account, slug: string): Team | undefined =>
  [...world.store.teams.values()].find(
    (team) => team.organization === organization && team.slug.toLowerCase() === slug.toLowerCase(),
  )

/** A team, created at the first mention. */
export const teamOf = (world: World, organization: Account, slug: string): Team => {
  const known = findTeam(world, organization, slug)
  if (known) return known
  const { store } = world
  const createdAt = world.clock()
  const team = { id: store.newId(), organization, slug, name: slug, members: new Map(), grants: new Map(), createdAt }
  store.teams.set(team.id, team)
  return team
}
