import type { Commit } from '#emulator/git/commits.ts'
import type { Repository } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { nodeId } from './node-id.ts'

/** GitHub's commit. Its author is not a GitHub user (null): commits here carry made-up mail addresses. */
export const commitBody = (world: World, repository: Repository, commit: Commit) => {
  const api = `${world.urls.api}/repos/${fullName(repository)}`
  const web = `${world.urls.web}/${fullName(repository)}`
  return {
    sha: commit.sha,
    node_id: nodeId('C', commit.sha),
    url: `${api}/commits/${commit.sha}`,
    html_url: `${web}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({ sha, url: `${api}/commits/${sha}`, html_url: `${web}/commit/${sha}` })),
  }
}

/** GitHub's simple-commit: head_commit of workflow runs and check suites. */
export const simpleCommitBody = (commit: Commit) => ({
  id: commit.sha,
  tree_id: commit.tree,
  message: commit.message,
  timestamp: commit.committer.date,
  author: { name: commit.author.name, email: commit.author.email },
  committer: { name: commit.committer.name, email: commit.committer.email },
})
