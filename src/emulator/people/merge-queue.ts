import { simpleCommitBody } from '#emulator/bodies/commit.ts'
import { commitTree, deleteRef, readCommit, resolveCommit, setRef } from '#emulator/git/commits.ts'
import { mergeTrees } from '#emulator/git/merge.ts'
import type { Account, MergeGroup, PullRequest } from '#emulator/records.ts'
import { identity } from '#emulator/store.ts'
import { emitFrom } from '#emulator/webhooks/events.ts'
import { sharedFields } from '#emulator/webhooks/pull-request-payload.ts'
import { triggerMergeGroup } from '#emulator/workflows/trigger.ts'
import type { World } from '#emulator/world.ts'
import { mergeAs } from './pull-requests.ts'
import { announcePush } from './push.ts'

/**
 * Puts a pull request in the merge queue, on top of its base or of another group: the queue makes a branch with the merge and asks for
 * its checks (GitHub Docs, 'Managing a merge queue'). Throws if the two conflict.
 */
export const enqueue = async (
  world: World,
  pull: PullRequest,
  sender: Account,
  behind?: MergeGroup,
): Promise<MergeGroup> => {
  const { gitDir } = pull.repository
  const baseSha = behind?.sha ?? (await resolveCommit(gitDir, `refs/heads/${pull.baseRef}`)) ?? pull.baseSha
  const tree = await mergeTrees(gitDir, baseSha, pull.headSha)
  if (tree === undefined) throw new Error(`pull request #${pull.number} conflicts with ${pull.baseRef}`)
  const message = `Merge pull request #${pull.number}\n\n${pull.title}`
  const wanted = { tree, parents: [baseSha, pull.headSha], message, author: identity(sender), at: world.clock() }
  const sha = await commitTree(gitDir, wanted)
  const branch = `gh-readonly-queue/${pull.baseRef}/pr-${pull.number}-${baseSha}`
  await setRef(gitDir, `refs/heads/${branch}`, sha)
  const group: MergeGroup = { pull, branch, sha, baseSha }
  await announcePush(world, { repository: pull.repository, branch, sender, before: undefined, after: sha })
  const payload = await payloadOf(world, group, sender, 'checks_requested')
  emitFrom(world, 'merge_group', payload, { repository: pull.repository, sender })
  await triggerMergeGroup(world, group, sender, payload)
  return group
}

/** The group's checks have passed: its commit becomes the tip of the base. */
export const mergeGroup = async (world: World, group: MergeGroup, sender: Account): Promise<void> => {
  await mergeAs(world, group.pull, sender, group.sha)
  await takeApart(world, group, sender, 'merged')
}

/** The queue gives a group up: its branch is deleted, and its pull request stays open. */
export const takeApart = async (
  world: World,
  group: MergeGroup,
  sender: Account,
  reason: 'merged' | 'invalidated' | 'dequeued',
): Promise<void> => {
  const payload = await payloadOf(world, group, sender, 'destroyed')
  await deleteRef(group.pull.repository.gitDir, `refs/heads/${group.branch}`)
  emitFrom(world, 'merge_group', { ...payload, reason }, { repository: group.pull.repository, sender })
}

const payloadOf = async (
  world: World,
  { pull, branch, sha, baseSha }: MergeGroup,
  sender: Account,
  action: string,
) => ({
  action,
  merge_group: {
    head_sha: sha,
    head_ref: `refs/heads/${branch}`,
    base_sha: baseSha,
    base_ref: `refs/heads/${pull.baseRef}`,
    head_commit: simpleCommitBody(await readCommit(pull.repository.gitDir, sha)),
  },
  ...sharedFields(world, pull.repository, sender),
})
