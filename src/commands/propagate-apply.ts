import { downstreamsOf, wantCrossRepoPlans } from '#db/cross-repo-plans.ts'
import { addJobs } from '#db/jobs.ts'
import { findRepository } from '#db/repositories.ts'
import { findRun } from '#db/runs.ts'
import { transact } from '#db/transact.ts'
import { planDownstreamJob } from '#runtime/cross-repo-jobs.ts'
import type { Deps } from './deps.ts'
import { readRepoConfig } from './read-repo-config.ts'

/**
 * Has the repositories planned whose stacks depend on what an apply run changed, where the policy of the default branch that
 * was applied says so (spec, 'Cross-repository propagation'). A stack that was applied counts however the run ended: what
 * others read of it is new. A late result is of a stack that is new here, and leads to a plan of its own.
 */
export const propagateApply = async (
  deps: Pick<Deps, 'pool' | 'codehost' | 'clock' | 'runtime'>,
  runId: string,
  cause: string | null,
): Promise<boolean> => {
  const run = await findRun(deps.pool, runId)
  const repository = run && (await findRepository(deps.pool, run.repo_id))
  if (!repository || repository.removed || repository.suspended) return false
  const downstreams = await downstreamsOf(deps.pool, { id: runId, repoId: repository.id })
  // before the code host is asked: nearly no apply has any
  if (downstreams.length === 0) return false
  const policy = await readRepoConfig(deps, repository)
  // one that cannot be read is audited, and is never taken for a yes
  if (!policy.ok || policy.config.propagate.cross_repo !== 'plan') return false
  await transact(deps.pool, async (tx) => {
    await wantCrossRepoPlans(tx, runId, downstreams)
    const ids = new Set(downstreams.map((downstream) => downstream.repo_id))
    await addJobs(
      tx,
      [...ids].map((id) => planDownstreamJob(id, cause)),
    )
  })
  deps.runtime.wake()
  return true
}
