import type { PullRequest } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'

/** The issue that a pull request is, as webhooks of its comments carry it: `pull_request` tells it from a real issue. */
export const issueBodyOfPull = (world: World, pull: PullRequest) => {
  const repo = `${world.urls.api}/repos/${fullName(pull.repository)}`
  const url = `${repo}/issues/${pull.number}`
  const html = `${world.urls.web}/${fullName(pull.repository)}/pull/${pull.number}`
  return {
    url,
    repository_url: repo,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
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
