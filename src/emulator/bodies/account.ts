import type { Account } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import { nodeId } from './node-id.ts'

/** GitHub's simple-user: people, organisations and bots alike. */
export const accountBody = (world: World, account: Account) => {
  const url = `${world.urls.api}/users/${encodeURIComponent(account.login)}`
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('U', account.id),
    avatar_url: `${world.urls.web}/avatars/u/${account.id}`,
    gravatar_id: '',
    url,
    html_url: `${world.urls.web}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    site_admin: false,
  }
}

/** The `organization` of webhooks from repositories that belong to one. */
export const organizationBody = (world: World, account: Account) => {
  const url = `${world.urls.api}/orgs/${account.login}`
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('O', account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.urls.web}/avatars/u/${account.id}`,
    description: '',
  }
}
