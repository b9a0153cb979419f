import { type Changes, commitChanges, readCommit, resolveCommit } from '#emulator/git/commits.ts'
import type { Account, Repository } from '#emulator/records.ts'
import { identity, suiteOf } from '#emulator/store.ts'
import { emitCheckSuite } from '#emulator/webhooks/check-events.ts'
import { emitPush } from '#emulator/webhooks/push-event.ts'
import type { World } from '#emulator/world.ts'

export type Pushed = { before: string | undefined; after: string }

/** Commits changes on a branch, which starts at the default branch's tip if it does not exist yet. Sends nothing. */
export const commitOn = async (
  world: World,
  wanted: { repository: Repository; branch: string; message: string; author: Account; changes: Changes },
): Promise<Pushed> => {
  const { repository, branch, message, author, changes } = wanted
  const { gitDir, defaultBranch } = repository
  const before = await resolveCommit(gitDir, `refs/heads/${branch}`)
  const parent = before ?? (await resolveCommit(gitDir, `refs/heads/${defaultBranch}`))
  const at = world.clock()
  const after = await commitChanges(gitDir, { branch, parent, message, author: identity(author), at, changes })
  repository.pushedAt = at
  return { before, after }
}

/**
 * What a push leaves behind: an entry of the repository's activity, and the webhooks that GitHub sends an app, the push and the
 * check suite made for it.
 */
export const announcePush = async (
  world: World,
  push: { repository: Repository; branch: string; sender: Account } & Pushed,
): Promise<void> => {
  const { repository, branch, sender, before, after } = push
  repository.pushes.push({ id: world.store.newId(), branch, before, after, actor: sender, at: world.clock() })
  await emitPush(world, push)
  const wanted = { repository, app: 'app' as const, headSha: after, headBranch: branch, now: world.clock() }
  const head = await readCommit(repository.gitDir, after)
  emitCheckSuite(world, suiteOf(world.store, wanted), 'requested', { before, head, sender })
}
