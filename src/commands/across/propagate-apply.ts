import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import { findRun } from '#db/machines/runs.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { downstreamsOf, wantCrossRepoPlans } from '#db/repositories/cross-repo-plans.ts'
import { transact } from '#db/transact.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'

/**
 * Queues plans of the repositories whose stacks depend on what an apply run changed, if the policy of the default branch that
 * was applied says so (docs/interface.md, 'Cross-repository propagation'). An applied stack counts however the run ended:
 * others now read something new. A late result concerns a stack that is new here, and leads to a separate plan.
 */
export const propagateApply = async (
  deps: Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'clock' | 'runtime'>,
  runId: string,
  cause: string | null,
): Promise<boolean> => {
  const run = await findRun(deps.pool, runId)
  const repository = run && (await deps.findRepository(run.repo_id))
  if (!repository || repository.removed || repository.suspended) return false
  const downstreams = await downstreamsOf(deps.pool, { id: runId, repoId: repository.id })
  // before the code host is asked: almost no apply has any
  if (downstreams.length === 0) return false
  const policy = await readRepoConfig(deps, repository)
  // a policy that cannot be read is audited, and is never taken for a yes
  if (!policy.ok || policy.config.propagate.cross_repo !== 'plan') return false
  await transact(deps.pool, async (tx) => {
    await wantCrossRepoPlans(tx, runId, downstreams)
    const installations = new Map(downstreams.map((one) => [one.repo_id, one.installation_id]))
    await addJobs(
      tx,
      [...installations].map(([repo_id, installationId]) =>
        makeJob('cross_repo_plan', { repo_id }, { installationId, cause }),
      ),
    )
  })
  deps.runtime.wake()
  return true
}
