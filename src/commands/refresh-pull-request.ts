import { lockPullRequest, putPullRequest, timeOfDatabase } from '#db/pull-requests.ts'
import { findRepository } from '#db/repositories.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from './deps.ts'
import { followPullRequest } from './follow-pull-request.ts'
import { repoRefOf } from './repo-ref.ts'

/**
 * Reads a pull request anew from the code host after a delivery about it, and draws the consequences: deliveries come late
 * and out of order, the pull request itself does not. The commit of its merge alone may be one that the delivery told of,
 * since code hosts cease to show it. Answers false for a repository or pull request that is not there.
 */
export const refreshPullRequest = async (
  deps: Pick<Deps, 'pool' | 'codehost' | 'runtime' | 'clock'>,
  repoId: number,
  number: number,
  cause?: string | null,
  toldMergeCommit: string | null = null,
): Promise<boolean> => {
  const repository = await findRepository(deps.pool, repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const askedAt = await timeOfDatabase(deps.pool)
  const pull = await deps.codehost.getPullRequest(repoRefOf(repository), number)
  if (!pull) return false
  await transact(deps.pool, async (tx) => {
    const before = await lockPullRequest(tx, repoId, number)
    const mergeCommitSha = pull.mergedAt === null ? null : (pull.mergeCommitSha ?? toldMergeCommit)
    const now = await putPullRequest(tx, { ...pull, mergeCommitSha, repoId }, askedAt, true)
    const who = { actor: 'system', cause }
    await followPullRequest(deps, tx, { repository, before, now }, who)
  })
  deps.runtime.wake()
  return true
}
