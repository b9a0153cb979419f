import { z } from 'zod'
import type { Permission } from '#domain/gate/facts.ts'
import type { RepoRef } from '../port.ts'
import { Refusal } from '../refusal.ts'
import { type Calls, inRepo } from './client/calls.ts'

/*
 * `permission` is the legacy level, into which GitHub itself folds maintain (write), triage (read) and custom roles;
 * `role_name`, beside it, may be any word. https://docs.github.com/rest/collaborators/collaborators
 */
const PermissionAnswer = z.object({
  permission: z.enum(['admin', 'write', 'read', 'none']),
  user: z.object({ id: z.number().optional() }).nullish(),
})

// https://docs.github.com/rest/teams/members: pending is an invitation not yet accepted.
const MembershipAnswer = z.object({ state: z.string() })
const TeamAnswer = z.object({ id: z.number() })

export const permissionOf = async (
  calls: Calls,
  repo: RepoRef,
  login: string,
  accountId?: number,
): Promise<Permission> => {
  const found = await calls.find(
    {
      act: `reading the permission of ${login} in ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
      ...inRepo(repo, { username: login }),
    },
    PermissionAnswer,
  )
  // a login that was given up may belong to somebody else now
  if (accountId !== undefined && found?.user?.id !== accountId) return 'none'
  return found?.permission ?? 'none'
}

type Team = { org: string; slug: string }

/** A 404 means no membership, or no team that the app can see: a look at the team itself shows which. */
export const isTeamMember = async (
  calls: Calls,
  installationId: number,
  team: Team,
  login: string,
): Promise<boolean | undefined> => {
  try {
    const membership = await readMembership(calls, installationId, team, login)
    if (membership !== undefined) return membership.state === 'active'
    return (await readTeam(calls, installationId, team)) === undefined ? undefined : false
  } catch (error) {
    if (error instanceof Refusal && error.hostStatus === 403) return undefined
    throw error
  }
}

/**
 * Public or not: the app sees every member if it may read them. No membership and no right to ask both mean no.
 * https://docs.github.com/rest/orgs/members: 302 is for an asker who is not a member.
 */
export const isOrganizationMember = async (
  calls: Calls,
  installationId: number,
  org: string,
  login: string,
): Promise<boolean> => {
  const call = {
    act: `reading the membership of ${login} in ${org}`,
    route: 'GET /orgs/{org}/members/{username}',
    from: installationId,
    parameters: { org, username: login },
  }
  try {
    return (
      (await calls.find(
        call,
        z.unknown().transform(() => true),
      )) ?? false
    )
  } catch (error) {
    if (error instanceof Refusal && error.hostStatus === 403) return false
    throw error
  }
}

const readMembership = (calls: Calls, installationId: number, { org, slug }: Team, login: string) =>
  calls.find(
    {
      act: `reading the membership of ${login} in ${org}/${slug}`,
      route: 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}',
      from: installationId,
      parameters: { org, team_slug: slug, username: login },
    },
    MembershipAnswer,
  )

const readTeam = (calls: Calls, installationId: number, { org, slug }: Team) =>
  calls.find(
    {
      act: `reading team ${org}/${slug}`,
      route: 'GET /orgs/{org}/teams/{team_slug}',
      from: installationId,
      parameters: { org, team_slug: slug },
    },
    TeamAnswer,
  )
