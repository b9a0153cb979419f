import type { Issue } from '#emulator/people-records.ts'
import type { PullRequest } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { appBody } from './app.ts'
import { nodeId, stamp } from './node-id.ts'

/** The API addresses of a repository's issue and of its parts. */
const addressesOf = (repo: string, number: number) => {
  const url = `${repo}/issues/${number}`
  return {
    url,
    repository_url: repo,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
  }
}

/** A pull request as an issue, as webhooks of its comments carry it: only a pull request has `pull_request`. */
export const issueBodyOfPull = (world: World, pull: PullRequest) => {
  const repo = `${world.urls.api}/repos/${fullName(pull.repository)}`
  const html = `${world.urls.web}/${fullName(pull.repository)}/pull/${pull.number}`
  return {
    ...addressesOf(repo, pull.number),
    html_url: html,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    number: pull.number,
    title: pull.title,
    user: accountBody(world, pull.author),
    labels: [],
    state: pull.state,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: [...world.store.comments.values()].filter(
      (comment) => comment.repository === pull.repository && comment.number === pull.number,
    ).length,
    created_at: stamp(pull.createdAt),
    updated_at: stamp(pull.updatedAt),
    closed_at: pull.closedAt ? stamp(pull.closedAt) : null,
    author_association: 'CONTRIBUTOR',
    active_lock_reason: null,
    draft: pull.draft,
    pull_request: {
      url: `${repo}/pulls/${pull.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
    },
    body: pull.body,
  }
}

/** GitHub's issue, for an issue that is not a pull request. */
export const issueBody = (world: World, issue: Issue) => {
  const repo = `${world.urls.api}/repos/${fullName(issue.repository)}`
  return {
    ...addressesOf(repo, issue.number),
    html_url: `${world.urls.web}/${fullName(issue.repository)}/issues/${issue.number}`,
    id: issue.id,
    node_id: nodeId('I', issue.id),
    number: issue.number,
    title: issue.title,
    user: accountBody(world, issue.author),
    labels: [],
    state: issue.state,
    state_reason: issue.stateReason,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: 0,
    created_at: stamp(issue.createdAt),
    updated_at: stamp(issue.updatedAt),
    closed_at: issue.closedAt ? stamp(issue.closedAt) : null,
    closed_by: issue.closedBy ? accountBody(world, issue.closedBy) : null,
    author_association: issue.viaApp ? 'NONE' : 'CONTRIBUTOR',
    active_lock_reason: null,
    body: issue.body,
    performed_via_github_app: issue.viaApp ? appBody(world) : null,
  }
}
