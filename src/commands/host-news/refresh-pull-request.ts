import { timeOfDatabase } from '#db/moment.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from '../deps.ts'
import { learnPullRequest } from './follow-pull-request.ts'

/**
 * Reads a pull request again from the code host after a delivery about it, and draws the consequences: deliveries come late
 * and out of order, the pull request itself does not. Only the merge commit may come from the delivery, since code hosts stop
 * showing it. Returns false for an unknown repository or pull request.
 */
export const refreshPullRequest = async (
  deps: Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'runtime' | 'clock'>,
  repoId: number,
  number: number,
  cause?: string | null,
  toldMergeCommit: string | null = null,
): Promise<boolean> => {
  const repository = await deps.findRepository(repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const askedAt = await timeOfDatabase(deps.pool)
  const pull = await deps.codehost.getPullRequest(repository, number)
  if (!pull) return false
  await transact(deps.pool, async (tx) => {
    const mergeCommitSha = pull.mergedAt === null ? null : (pull.mergeCommitSha ?? toldMergeCommit)
    await learnPullRequest(deps, tx, { repository, pull: { ...pull, mergeCommitSha }, asOf: askedAt, cause })
  })
  deps.runtime.wake()
  return true
}
