import { releaseBody } from '#emulator/bodies/release.ts'
import { noCommit } from '#emulator/git/commits.ts'
import type { Account, Release, Repository } from '#emulator/records.ts'
import { fullName, identity } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { emitFrom } from './events.ts'
import { pushedCommit, pushedRepository } from './push-event.ts'

export type TagChange = {
  repository: Repository
  name: string
  /** The objects that the ref named before and names now: the tag object of an annotated tag. */
  before?: string | undefined
  after?: string | undefined
  /** The commit that it comes down to. */
  commit?: string | undefined
  sender: Account
}

/**
 * Sends the events of a tag that was created, moved or deleted: always a push, and a `create` or a `delete`, which names no
 * sha.
 */
export const emitTag = async (world: World, change: TagChange): Promise<void> => {
  const { repository, name, before, after, commit, sender } = change
  const about = { repository, sender }
  const pushed = {
    before: before ?? noCommit,
    after: after ?? noCommit,
    created: !before,
    deleted: !after,
    forced: Boolean(before && after),
  }
  const { name: login, email } = identity(sender)
  const base = `${world.urls.web}/${fullName(repository)}/compare`
  const payload = {
    ref: `refs/tags/${name}`,
    ...pushed,
    base_ref: null,
    compare: after ? `${base}/${name}` : `${base}/${before?.slice(0, 12)}...${noCommit.slice(0, 12)}`,
    commits: [],
    head_commit: commit ? await pushedCommit(world, repository, commit) : null,
    repository: pushedRepository(world, repository),
    pusher: { name: login, email },
  }
  const named = { ref: name, ref_type: 'tag', pusher_type: 'user' }
  if (!before)
    emitFrom(world, 'create', { ...named, master_branch: repository.defaultBranch, description: null }, about)
  if (!after) emitFrom(world, 'delete', named, about)
  emitFrom(world, 'push', payload, about)
}

/** Sends the event of a release. */
export const emitRelease = (
  world: World,
  repository: Repository,
  release: Release,
  action: 'published' | 'edited' | 'deleted',
): void =>
  emitFrom(
    world,
    'release',
    {
      action,
      release: releaseBody(world, repository, release),
      ...(action === 'edited' ? { changes: {} } : {}),
    },
    { repository, sender: release.author },
  )
