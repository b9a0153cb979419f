import type { Repository } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'

/** The URL templates that every form of a repository has: name without `_url`, then the part after the repository's own URL. */
const templates = {
  archive: '/{archive_format}{/ref}',
  assignees: '/assignees{/user}',
  blobs: '/git/blobs{/sha}',
  branches: '/branches{/branch}',
  collaborators: '/collaborators{/collaborator}',
  comments: '/comments{/number}',
  commits: '/commits{/sha}',
  compare: '/compare/{base}...{head}',
  contents: '/contents/{+path}',
  contributors: '/contributors',
  deployments: '/deployments',
  downloads: '/downloads',
  events: '/events',
  forks: '/forks',
  git_commits: '/git/commits{/sha}',
  git_refs: '/git/refs{/sha}',
  git_tags: '/git/tags{/sha}',
  hooks: '/hooks',
  issue_comment: '/issues/comments{/number}',
  issue_events: '/issues/events{/number}',
  issues: '/issues{/number}',
  keys: '/keys{/key_id}',
  labels: '/labels{/name}',
  languages: '/languages',
  merges: '/merges',
  milestones: '/milestones{/number}',
  notifications: '/notifications{?since,all,participating}',
  pulls: '/pulls{/number}',
  releases: '/releases{/id}',
  stargazers: '/stargazers',
  statuses: '/statuses/{sha}',
  subscribers: '/subscribers',
  subscription: '/subscription',
  tags: '/tags',
  teams: '/teams',
  trees: '/git/trees{/sha}',
} as const

type TemplateUrls = { [Name in keyof typeof templates as `${Name}_url`]: string }

/** GitHub's minimal-repository: inside workflow runs. */
export const minimalRepositoryBody = (world: World, repository: Repository) => {
  const url = `${world.urls.api}/repos/${fullName(repository)}`
  const urls = Object.fromEntries(
    Object.entries(templates).map(([name, path]) => [`${name}_url`, `${url}${path}`]),
  ) as TemplateUrls
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: fullName(repository),
    owner: accountBody(world, repository.owner),
    private: repository.private,
    html_url: `${world.urls.web}/${fullName(repository)}`,
    description: null,
    fork: false,
    url,
    ...urls,
  }
}

/** GitHub's repository: in listings, webhooks and pull requests. */
export const repositoryBody = (world: World, repository: Repository) => {
  const minimal = minimalRepositoryBody(world, repository)
  const open = openIssues(world, repository)
  return {
    ...minimal,
    created_at: stamp(repository.createdAt),
    updated_at: stamp(repository.pushedAt),
    pushed_at: stamp(repository.pushedAt),
    git_url: minimal.html_url.replace(/^https?:/, 'git:'),
    ssh_url: `git@${new URL(world.urls.web).hostname}:${fullName(repository)}.git`,
    clone_url: `${minimal.html_url}.git`,
    svn_url: minimal.html_url,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    size: 1,
    forks: 0,
    forks_count: 0,
    watchers: 0,
    watchers_count: 0,
    stargazers_count: 0,
    open_issues: open,
    open_issues_count: open,
    has_issues: repository.hasIssues,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    archived: repository.archived,
    disabled: false,
    visibility: repository.private ? 'private' : 'public',
    default_branch: repository.defaultBranch,
  }
}

/** Pull requests count as issues on GitHub. */
const openIssues = (world: World, repository: Repository): number =>
  [...world.store.pulls.values()].filter((pull) => pull.repository === repository && pull.state === 'open').length

/** GitHub's full-repository: GET of one. */
export const fullRepositoryBody = (world: World, repository: Repository) => ({
  ...repositoryBody(world, repository),
  has_discussions: false,
  network_count: 0,
  subscribers_count: 0,
})
