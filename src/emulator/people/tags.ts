import { resolveCommit } from '#emulator/git/commits.ts'
import { dropTag, listTags, putTag } from '#emulator/git/tags.ts'
import type { Release, Repository } from '#emulator/records.ts'
import { accountOf, identity } from '#emulator/store.ts'
import { emitRelease, emitTag } from '#emulator/webhooks/tag-events.ts'
import type { World } from '#emulator/world.ts'

/** A tag that a person pushes: at the tip of the default branch unless a commit is given, annotated if it has a message. */
export type TagPush = { name: string; sha?: string; message?: string; by?: string }

/** GitHub sends no event for the tags of a push with more than these ('Webhook events and payloads', create). */
const toldAtOnce = 3

/** Pushes tags together; an existing one is moved. */
export const pushTags = async (world: World, repository: Repository, tags: readonly TagPush[]): Promise<void> => {
  const { gitDir, defaultBranch } = repository
  const former = new Map((await listTags(gitDir)).map((tag) => [tag.name, tag]))
  const tip = await resolveCommit(gitDir, `refs/heads/${defaultBranch}`)
  for (const { name, sha, message, by = repository.owner.login } of tags) {
    const commit = sha ?? tip
    if (commit === undefined) throw new Error(`${repository.name} has no commit to tag`)
    const sender = accountOf(world.store, by, 'User', world.clock())
    const after = await putTag(gitDir, { name, commit, message, tagger: identity(sender), at: world.clock() })
    const before = former.get(name)?.object
    if (tags.length <= toldAtOnce) await emitTag(world, { repository, name, before, after, commit, sender })
  }
}

export const deleteTag = async (world: World, repository: Repository, name: string): Promise<void> => {
  const tag = (await listTags(repository.gitDir)).find((one) => one.name === name)
  if (!tag) throw new Error(`${repository.name} has no tag ${name}`)
  await dropTag(repository.gitDir, name)
  const sender = accountOf(world.store, repository.owner.login, 'User', world.clock())
  await emitTag(world, { repository, name, before: tag.object, sender })
}

/** Publishes a release of a tag; GitHub makes the tag if it does not exist. */
export const publishRelease = async (
  world: World,
  repository: Repository,
  { tag, prerelease = false, by = repository.owner.login }: { tag: string; prerelease?: boolean; by?: string },
): Promise<void> => {
  const tags = await listTags(repository.gitDir)
  if (!tags.some(({ name }) => name === tag)) await pushTags(world, repository, [{ name: tag, by }])
  const author = accountOf(world.store, by, 'User', world.clock())
  const release: Release = { id: world.store.newId(), tag, prerelease, author, publishedAt: world.clock() }
  repository.releases.push(release)
  emitRelease(world, repository, release, 'published')
}
