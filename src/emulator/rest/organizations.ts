import { fullTeamBody } from '#emulator/bodies/team.ts'
import { findTeam, isMember } from '#emulator/people/permissions.ts'
import type { Team } from '#emulator/people-records.ts'
import type { OrganizationCall } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { organizationRoute } from './serving/route.ts'

const teamOf = ({ world, organization, params }: OrganizationCall): Team => {
  const team = findTeam(world, organization, params.team_slug ?? '')
  if (!team) throw notFound()
  return team
}

const getMembership = (call: OrganizationCall) => {
  const { world, organization, params } = call
  const team = teamOf(call)
  const login = params.username ?? ''
  const membership = team.members.get(login.toLowerCase())
  if (!membership) throw notFound()
  const url = `${world.urls.api}/organizations/${organization.id}/team/${team.id}/memberships/${login}`
  return { body: { state: membership.state, role: membership.role, url } }
}

/** GitHub Docs, 'REST API endpoints for teams', '… for team members', '… for organization members'. */
export const organizationRoutes = [
  organizationRoute('GET', '/teams/{team_slug}', ['members', 'read'], (call) => ({
    body: fullTeamBody(call.world, teamOf(call)),
  })),
  organizationRoute('GET', '/teams/{team_slug}/memberships/{username}', ['members', 'read'], getMembership),
  organizationRoute('GET', '/members/{username}', ['members', 'read'], ({ world, organization, params }) => {
    if (!isMember(world, organization, params.username ?? '')) throw notFound()
    return { status: 204 }
  }),
]
