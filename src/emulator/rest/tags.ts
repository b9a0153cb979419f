import { nodeId } from '#emulator/bodies/node-id.ts'
import { releaseBody } from '#emulator/bodies/release.ts'
import { listTags, readTagObject } from '#emulator/git/tags.ts'
import { fullName } from '#emulator/store.ts'
import type { RepositoryCall } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'

/** Peeled to commits, without dates; in reverse order of name, not of version. */
const getTags = async (call: RepositoryCall) => {
  const { world, repository } = call
  const api = `${world.urls.api}/repos/${fullName(repository)}`
  const tags = (await listTags(repository.gitDir)).reverse()
  return paginate(call, tags, (page) =>
    page.map(({ name, commit }) => ({
      name,
      commit: { sha: commit, url: `${api}/commits/${commit}` },
      zipball_url: `${api}/zipball/refs/tags/${name}`,
      tarball_url: `${api}/tarball/refs/tags/${name}`,
      node_id: nodeId('REF', `${repository.id}:refs/tags/${name}`),
    })),
  )
}

/** References with this prefix, all in one answer; an annotated tag shows its tag object. */
const getMatchingRefs = async ({ world, repository, params }: RepositoryCall) => {
  const api = `${world.urls.api}/repos/${fullName(repository)}/git`
  const tags = await listTags(repository.gitDir, `refs/${params.ref}`)
  return {
    body: tags.map(({ name, object, type }) => ({
      ref: `refs/tags/${name}`,
      node_id: nodeId('REF', `${repository.id}:refs/tags/${name}`),
      url: `${api}/refs/tags/${name}`,
      object: { sha: object, type, url: `${api}/${type}s/${object}` },
    })),
  }
}

const getTagObject = async ({ world, repository, params }: RepositoryCall) => {
  const tag = await readTagObject(repository.gitDir, params.tag_sha ?? '')
  if (!tag) throw notFound()
  const api = `${world.urls.api}/repos/${fullName(repository)}/git`
  return {
    body: {
      node_id: nodeId('TA', tag.sha),
      tag: tag.name,
      sha: tag.sha,
      url: `${api}/tags/${tag.sha}`,
      message: tag.message,
      tagger: tag.tagger,
      object: { sha: tag.commit, type: 'commit', url: `${api}/commits/${tag.commit}` },
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
  }
}

/** Newest first. Drafts are for people with push permission. */
const getReleases = (call: RepositoryCall) =>
  paginate(call, [...call.repository.releases].reverse(), (page) =>
    page.map((release) => releaseBody(call.world, call.repository, release)),
  )

/** GitHub Docs, 'REST API endpoints for repositories' (tags), '… for Git references', '… for Git tags', '… for releases'. */
export const tagRoutes = [
  repositoryRoute('GET', '/tags', ['metadata', 'read'], getTags),
  repositoryRoute('GET', '/git/matching-refs/{ref}', ['contents', 'read'], getMatchingRefs),
  repositoryRoute('GET', '/git/tags/{tag_sha}', ['contents', 'read'], getTagObject),
  repositoryRoute('GET', '/releases', ['contents', 'read'], getReleases),
]
