import type { FileChange } from '#emulator/git/diff.ts'
import type { PullRequestFacts } from '#emulator/pull-request-facts.ts'
import type { PullRequest, Repository } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'
import { repositoryBody } from './repository.ts'

const addresses = (world: World, pull: PullRequest) => {
  const repo = `${world.urls.api}/repos/${fullName(pull.repository)}`
  const self = `${repo}/pulls/${pull.number}`
  const issue = `${repo}/issues/${pull.number}`
  const html = `${world.urls.web}/${fullName(pull.repository)}/pull/${pull.number}`
  return {
    self,
    html,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${self}/comments`,
    review_comment: `${repo}/pulls/comments{/number}`,
    commits: `${self}/commits`,
    statuses: `${repo}/statuses/${pull.headSha}`,
  }
}

/** Without a repository once a fork was deleted. */
const side = (world: World, repository: Repository | undefined, ref: string, sha: string) => ({
  label: `${repository?.owner.login ?? 'unknown repository'}:${ref}`,
  ref,
  sha,
  user: repository ? accountBody(world, repository.owner) : null,
  repo: repository ? repositoryBody(world, repository) : null,
})

/** GitHub's pull-request-simple, used in listings. */
export const simplePullBody = (world: World, pull: PullRequest, mergeCommitSha: string | null) => {
  const urls = addresses(world, pull)
  const { self, html, issue, ...related } = urls
  return {
    url: self,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: related.commits,
    review_comments_url: related.review_comments,
    review_comment_url: related.review_comment,
    comments_url: related.comments,
    statuses_url: related.statuses,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: accountBody(world, pull.author),
    body: pull.body,
    created_at: stamp(pull.createdAt),
    updated_at: stamp(pull.updatedAt),
    closed_at: pull.closedAt ? stamp(pull.closedAt) : null,
    merged_at: pull.mergedAt ? stamp(pull.mergedAt) : null,
    merge_commit_sha: pull.mergeCommitSha ?? mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pull.draft,
    head: side(world, pull.headRepository, pull.headRef, pull.headSha),
    base: side(world, pull.repository, pull.baseRef, pull.baseSha),
    _links: Object.fromEntries(Object.entries(urls).map(([name, href]) => [name, { href }])),
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    active_lock_reason: null,
  }
}

/** GitHub's pull-request: GET of one, and webhooks (there with mergeability still unknown). */
export const pullBody = (world: World, pull: PullRequest, facts: PullRequestFacts) => ({
  ...simplePullBody(world, pull, facts.testMergeSha),
  merged: pull.mergedAt !== null,
  mergeable: facts.mergeable,
  rebaseable: facts.mergeable,
  mergeable_state: facts.mergeableState,
  merged_by: pull.mergedBy ? accountBody(world, pull.mergedBy) : null,
  comments: [...world.store.comments.values()].filter(
    (comment) => comment.repository === pull.repository && comment.number === pull.number,
  ).length,
  review_comments: 0,
  maintainer_can_modify: false,
  commits: facts.commits,
  additions: facts.additions,
  deletions: facts.deletions,
  changed_files: facts.changedFiles,
})

/** GitHub's pull-request-minimal: inside checks and workflow runs. */
export const minimalPullBody = (world: World, pull: PullRequest) => {
  const { id, name } = pull.repository
  const repo = { id, name, url: `${world.urls.api}/repos/${fullName(pull.repository)}` }
  return {
    id: pull.id,
    number: pull.number,
    url: addresses(world, pull).self,
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  }
}

/** GitHub's diff-entry, without `patch`: the emulator does not show the text of a change. */
export const fileBody = (world: World, pull: PullRequest, file: FileChange) => {
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  const web = `${world.urls.web}/${fullName(pull.repository)}`
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${web}/blob/${pull.headSha}/${path}`,
    raw_url: `${web}/raw/${pull.headSha}/${path}`,
    contents_url: `${world.urls.api}/repos/${fullName(pull.repository)}/contents/${path}?ref=${pull.headSha}`,
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  }
}
