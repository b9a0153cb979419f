import { findGraphOfCommit } from '#db/graphs.ts'
import { findPullRequest, putPullRequest } from '#db/pull-requests.ts'
import { findRepository, setDefaultGraph } from '#db/repositories.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from './deps.ts'
import { factsOf } from './open-run.ts'
import { repoRefOf } from './repo-ref.ts'

/**
 * Reads a pull request anew from the code host after a delivery about it, and draws the consequences: deliveries come late
 * and out of order, the pull request itself does not. When it was merged into the default branch, the newest graph of its
 * head becomes the graph of the default branch. Answers false for a repository or pull request that is not there.
 */
export const refreshPullRequest = async (
  deps: Pick<Deps, 'pool' | 'codehost' | 'clock'>,
  repoId: number,
  number: number,
): Promise<boolean> => {
  const repository = await findRepository(deps.pool, repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const askedAt = deps.clock.now()
  const pull = await deps.codehost.getPullRequest(repoRefOf(repository), number)
  if (!pull) return false
  await transact(deps.pool, async (tx) => {
    const before = await findPullRequest(tx, repository.id, number)
    const row = await putPullRequest(tx, factsOf(repository.id, pull), askedAt)
    // only the merge itself moves the pointer: news of a pull request merged long ago must not set it back
    if (before?.merged || !row.merged || row.baseRef !== repository.defaultBranch) return
    const graph = await findGraphOfCommit(tx, repository.id, row.headSha)
    if (graph) await setDefaultGraph(tx, repository.id, graph.id)
  })
  return true
}
