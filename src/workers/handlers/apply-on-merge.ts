import { applyOnMerge, tellGivenUp } from '#commands/apply/apply-on-merge.ts'
import type { JobHandler } from '../handler.ts'
import { isGivenUp } from './given-up.ts'

/** Applies what a merged pull request planned, if the policy of the default branch says so. */
export const applyOnMergeHandler: JobHandler<'apply_on_merge'> = async (
  deps,
  { repo_id, pr_number: prNumber },
  job,
) => {
  const repository = await deps.findRepository(repo_id)
  if (!repository || repository.removed || repository.suspended) return false
  const cause = job.cause ?? undefined
  await applyOnMerge(deps, repository, prNumber, cause).catch(async (error) => {
    if (isGivenUp(deps, job, error)) await tellGivenUp(deps, repository, { prNumber, error, cause })
    throw error
  })
  return true
}
