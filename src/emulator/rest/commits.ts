import { commitBody } from '#emulator/bodies/commit.ts'
import { nodeId } from '#emulator/bodies/node-id.ts'
import { readCommit, resolveCommit } from '#emulator/git/commits.ts'
import { tryGit } from '#emulator/git/run-git.ts'
import { fullName } from '#emulator/store.ts'
import type { RepositoryCall } from './serving/call.ts'
import { GitHubError, notFound } from './serving/errors.ts'
import { repositoryRoute } from './serving/route.ts'

const getBranch = async ({ world, repository, params }: RepositoryCall) => {
  const branch = params.branch ?? ''
  const sha = await resolveCommit(repository.gitDir, `refs/heads/${branch}`)
  if (sha === undefined) throw new GitHubError(404, 'Branch not found')
  const url = `${world.urls.api}/repos/${fullName(repository)}/branches/${branch}`
  return {
    body: {
      name: branch,
      commit: commitBody(world, repository, await readCommit(repository.gitDir, sha)),
      _links: { self: url, html: `${world.urls.web}/${fullName(repository)}/tree/${branch}` },
      protected: false,
      protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
      protection_url: `${url}/protection`,
    },
  }
}

/** The ref is given without `refs/`; an annotated tag shows its tag object, not the commit. */
const getRef = async ({ world, repository, params }: RepositoryCall) => {
  const ref = `refs/${params.ref}`
  const format = '--format=%(objectname) %(objecttype) %(refname)'
  const { code, output } = await tryGit(repository.gitDir, ['for-each-ref', format, ref])
  const [sha = '', type = '', name = ''] = output.toString().trim().split('\n', 1)[0]?.split(' ') ?? []
  // for-each-ref also takes the ref for a folder of refs; only the exact name is meant.
  if (code !== 0 || name !== ref) throw notFound()
  const api = `${world.urls.api}/repos/${fullName(repository)}/git`
  return {
    body: {
      ref,
      node_id: nodeId('REF', `${repository.id}:${ref}`),
      url: `${api}/${ref}`,
      object: { sha, type, url: `${api}/${type}s/${sha}` },
    },
  }
}

const getCommit = async ({ world, repository, params }: RepositoryCall) => {
  const sha = await resolveCommit(repository.gitDir, params.ref ?? '')
  if (sha === undefined) throw new GitHubError(422, `No commit found for SHA: ${params.ref}`)
  return { body: commitBody(world, repository, await readCommit(repository.gitDir, sha)) }
}

/** By its full id alone, unlike a commit of the repository's pages. */
const getGitCommit = async ({ world, repository, params }: RepositoryCall) => {
  const wanted = params.commit_sha ?? ''
  const sha = /^[0-9a-f]{40}$/.test(wanted) ? await resolveCommit(repository.gitDir, wanted) : undefined
  if (sha === undefined) throw notFound()
  const { node_id, html_url, parents, commit } = commitBody(world, repository, await readCommit(repository.gitDir, sha))
  const { comment_count: _, ...fields } = commit
  return { body: { sha, node_id, html_url, parents, ...fields } }
}

/** GitHub Docs, 'REST API endpoints for branches', '… for Git references', '… for Git commits', '… for commits'. */
export const commitRoutes = [
  repositoryRoute('GET', '/branches/{branch}', ['contents', 'read'], getBranch),
  repositoryRoute('GET', '/git/ref/{ref}', ['contents', 'read'], getRef),
  repositoryRoute('GET', '/git/commits/{commit_sha}', ['contents', 'read'], getGitCommit),
  repositoryRoute('GET', '/commits/{ref}', ['contents', 'read'], getCommit),
]
