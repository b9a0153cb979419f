import { z } from 'zod'
import type { Release, RepoRef, Tag } from '../port.ts'
import { type Calls, inRepo } from './client/calls.ts'

// https://docs.github.com/rest/repos/repos#list-repository-tags and /rest/git/refs, /rest/git/tags, /rest/releases
const TagsAnswer = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }))

const RefsAnswer = z.array(z.object({ ref: z.string(), object: z.object({ type: z.string(), sha: z.string() }) }))

const TagObject = z.object({ tagger: z.object({ date: z.string() }) })

const CommitAnswer = z.object({ commit: z.object({ committer: z.object({ date: z.string() }).nullable() }) })

const ReleasesAnswer = z.array(
  z.object({ tag_name: z.string(), draft: z.boolean().default(false), published_at: z.string().nullish() }),
)

/**
 * The list of tags names commits but hides which tags are annotated; references show that, but not the commits. Each costs
 * one request a page; asking for each tag would cost one a tag.
 */
export const listTags = async (calls: Calls, repo: RepoRef): Promise<Tag[]> => {
  const named = `${repo.owner}/${repo.name}`
  const annotated = new Map<string, string>()
  const references = calls.pages(
    {
      act: `listing the references of tags of ${named}`,
      route: 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}',
      ...inRepo(repo, { ref: 'tags/' }),
    },
    RefsAnswer,
  )
  for await (const page of references) {
    for (const { ref, object } of page) if (object.type === 'tag') annotated.set(ref, object.sha)
  }
  const found = new Map<string, Tag>()
  const pages = calls.pages(
    {
      act: `listing the tags of ${named}`,
      route: 'GET /repos/{owner}/{repo}/tags',
      ...inRepo(repo),
    },
    TagsAnswer,
  )
  for await (const page of pages) {
    for (const { name, commit } of page) {
      const object = annotated.get(`refs/tags/${name}`)
      found.set(name, { name, sha: commit.sha, ...(object === undefined ? {} : { object }) })
    }
  }
  return [...found.values()]
}

export const dateOfTag = async (
  calls: Calls,
  repo: RepoRef,
  { name, sha, object }: Tag,
): Promise<string | undefined> => {
  const act = `dating the tag ${name} of ${repo.owner}/${repo.name}`
  if (object !== undefined) {
    const route = 'GET /repos/{owner}/{repo}/git/tags/{tag_sha}'
    const found = await calls.find({ act, route, ...inRepo(repo, { tag_sha: object }) }, TagObject)
    return found?.tagger.date
  }
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
  const found = await calls.find({ act, route, ...inRepo(repo, { ref: sha }) }, CommitAnswer)
  return found?.commit.committer?.date
}

const mostPages = 10

export const listReleases = async (calls: Calls, repo: RepoRef): Promise<Release[]> => {
  const found: Release[] = []
  let read = 0
  const pages = calls.pages(
    {
      act: `listing the releases of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/releases',
      ...inRepo(repo),
    },
    ReleasesAnswer,
  )
  for await (const page of pages) {
    for (const { tag_name, draft, published_at } of page) {
      if (!draft) found.push({ tag: tag_name, publishedAt: published_at ?? null })
    }
    read += 1
    if (read === mostPages) break
  }
  return found
}
