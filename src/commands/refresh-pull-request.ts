import { putPullRequest, timeOfDatabase } from '#db/pull-requests.ts'
import { findRepository, settleDefaultGraph } from '#db/repositories.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from './deps.ts'
import { repoRefOf } from './repo-ref.ts'

/**
 * Reads a pull request anew from the code host after a delivery about it, and draws the consequences: deliveries come late
 * and out of order, the pull request itself does not. When it was merged into the default branch, the newest graph of its
 * head becomes the graph of the default branch. Answers false for a repository or pull request that is not there.
 */
export const refreshPullRequest = async (
  deps: Pick<Deps, 'pool' | 'codehost'>,
  repoId: number,
  number: number,
): Promise<boolean> => {
  const repository = await findRepository(deps.pool, repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const askedAt = await timeOfDatabase(deps.pool)
  const pull = await deps.codehost.getPullRequest(repoRefOf(repository), number)
  if (!pull) return false
  await transact(deps.pool, async (tx) => {
    const row = await putPullRequest(tx, { ...pull, repoId }, askedAt)
    if (row.mergedAt !== null) await settleDefaultGraph(tx, repoId)
  })
  return true
}
