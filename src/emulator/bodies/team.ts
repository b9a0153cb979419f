import type { Team } from '#emulator/people-records.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'

/** The fields that GitHub's team has everywhere. */
export const teamBody = (world: World, team: Team) => {
  const url = `${world.urls.api}/organizations/${team.organization.id}/team/${team.id}`
  return {
    id: team.id,
    node_id: nodeId('T', team.id),
    url,
    html_url: `${world.urls.web}/orgs/${team.organization.login}/teams/${team.slug}`,
    name: team.name,
    slug: team.slug,
    description: '',
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    type: 'organization',
    organization_id: team.organization.id,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
  }
}

/** GitHub's team-full: GET of one. */
export const fullTeamBody = (world: World, team: Team) => {
  const { organization } = team
  const login = organization.login
  const api = `${world.urls.api}/orgs/${login}`
  const { avatar_url, node_id } = accountBody(world, organization)
  return {
    ...teamBody(world, team),
    parent: null,
    members_count: [...team.members.values()].filter(({ state }) => state === 'active').length,
    repos_count: team.grants.size,
    created_at: stamp(team.createdAt),
    updated_at: stamp(team.createdAt),
    organization: {
      login,
      id: organization.id,
      node_id,
      url: api,
      repos_url: `${api}/repos`,
      events_url: `${api}/events`,
      hooks_url: `${api}/hooks`,
      issues_url: `${api}/issues`,
      members_url: `${api}/members{/member}`,
      public_members_url: `${api}/public_members{/member}`,
      avatar_url,
      description: '',
      has_organization_projects: true,
      has_repository_projects: true,
      public_repos: 0,
      public_gists: 0,
      followers: 0,
      following: 0,
      html_url: `${world.urls.web}/${login}`,
      type: 'Organization',
      created_at: stamp(organization.createdAt),
      updated_at: stamp(organization.createdAt),
      archived_at: null,
    },
  }
}
