import { z } from 'zod'
import { applyOnMerge, tellGivenUp } from '#commands/apply-on-merge.ts'
import { findRepository } from '#db/repositories.ts'
import { isGivenUp } from '../given-up.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ repo_id: z.number(), pr_number: z.number() })

/** Applies what a merged pull request planned, where the policy of the default branch says so. */
export const applyOnMergeHandler: Handler = async (deps, job) => {
  const { repo_id: repoId, pr_number: number } = Payload.parse(job.payload)
  const repository = await findRepository(deps.pool, repoId)
  if (!repository || repository.removed || repository.suspended) return 'ignored'
  const cause = job.cause ?? undefined
  await applyOnMerge(deps, repository, number, cause).catch(async (error) => {
    if (isGivenUp(deps, job, error)) await tellGivenUp(deps, repository, { prNumber: number, error, cause })
    throw error
  })
  return undefined
}
