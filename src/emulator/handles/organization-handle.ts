import { setMembership, teamOf } from '#emulator/people/permissions.ts'
import type { Team } from '#emulator/people-records.ts'
import type { PermissionLevel } from '#emulator/permission-level.ts'
import type { Account } from '#emulator/records.ts'
import { accountOf, repositoryNamed } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** A team of an organisation; people by login. */
export type TeamHandle = {
  id: number
  slug: string
  /** Also makes the person a member of the organisation, pending if the team membership is. */
  add(login: string, state?: 'active' | 'pending'): void
  remove(login: string): void
  /** What its active members may do in a repository of the organisation, by name. */
  grant(repository: string, level: PermissionLevel): void
}

/** An organisation, and what its owners do on its pages. */
export type OrganizationHandle = {
  id: number
  login: string
  /** Owners may do everything in its repositories. */
  addMember(login: string, role?: 'member' | 'owner'): void
  /** Removes a person from its teams too. */
  removeMember(login: string): void
  /** By slug; created at the first mention. */
  team(slug: string): TeamHandle
}

export const organizationHandle = (world: World, login: string): OrganizationHandle => {
  const organization = accountOf(world.store, login, 'Organization', world.clock())
  return {
    id: organization.id,
    login: organization.login,
    addMember: (member, role = 'member') =>
      setMembership(world, organization, member, { state: 'active', role: role === 'owner' ? 'admin' : 'member' }),
    removeMember: (member) => setMembership(world, organization, member, undefined),
    team: (slug) => teamHandle(world, organization, teamOf(world, organization, slug)),
  }
}

const teamHandle = (world: World, organization: Account, team: Team): TeamHandle => ({
  id: team.id,
  slug: team.slug,
  add: (login, state = 'active') => {
    const known = world.store.members.get(organization)?.get(login.toLowerCase())
    if (known?.state !== 'active') setMembership(world, organization, login, { state, role: 'member' })
    team.members.set(login.toLowerCase(), { state, role: 'member' })
  },
  remove: (login) => {
    team.members.delete(login.toLowerCase())
  },
  grant: (name, level) => {
    team.grants.set(repositoryNamed(world.store, `${organization.login}/${name}`), level)
  },
})
