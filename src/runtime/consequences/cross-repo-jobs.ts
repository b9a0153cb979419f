import { isOpen } from '#domain/run-status.ts'
import { type Job, makeJob } from '#jobs/job.ts'
import { statusOf } from '#machines/index.ts'
import type { Actor } from '../actor.ts'

/**
 * What the end of a run means for other repositories. The end of an apply: they may need plans. The end of such a plan: the
 * next may begin. A late result changes an ended run and queues this again: the handler knows what is new.
 */
export const crossRepoJobs = (dirty: readonly Actor[]): Job[] =>
  dirty.flatMap((actor) => {
    if (actor.kind !== 'run' || isOpen(statusOf(actor.snapshot))) return []
    const { mode, trigger, repo_id, installation_id: installationId } = actor.row
    const more = { installationId, cause: null }
    if (mode === 'apply') return [makeJob('cross_repo_plan', { run_id: actor.id }, more)]
    return mode === 'plan' && trigger === 'push' ? [makeJob('cross_repo_plan', { repo_id }, more)] : []
  })
