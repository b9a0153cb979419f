import type { NewJob } from '#db/jobs.ts'
import { statusOf } from '#machines/index.ts'
import { type Actor, isOpen } from './actor.ts'

/** The wish that other repositories hear what an apply run changed. */
const afterApplyJob = (runId: string): NewJob => ({
  kind: 'cross_repo_plan',
  key: `after ${runId}`,
  lane: null,
  payload: { run_id: runId },
  cause: null,
})

/**
 * The wish that a repository is planned because of what was applied in others; one after another, so that they are gathered.
 * Two lanes for all: hundreds of repositories may depend on one, and everything else must find a worker.
 */
export const planDownstreamJob = (repoId: number, cause: string | null): NewJob => ({
  kind: 'cross_repo_plan',
  key: `of ${repoId}`,
  lane: `cross_repo_plan ${repoId % 2}`,
  payload: { repo_id: repoId },
  cause,
})

/**
 * What the end of a run means for other repositories: that of an apply, that those may want to be planned; that of such a plan,
 * that the next may begin. A late result moves a run that has ended, and is said again: the handler knows what is new.
 */
export const crossRepoJobs = (dirty: readonly Actor[]): NewJob[] =>
  dirty.flatMap((actor) => {
    if (actor.kind !== 'run' || isOpen(statusOf(actor.snapshot))) return []
    const { mode, trigger, repo_id: repoId } = actor.row
    if (mode === 'apply') return [afterApplyJob(actor.id)]
    return mode === 'plan' && trigger === 'push' ? [planDownstreamJob(repoId, null)] : []
  })
