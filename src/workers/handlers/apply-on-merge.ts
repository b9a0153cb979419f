import { z } from 'zod'
import { applyOnMerge } from '#commands/apply-on-merge.ts'
import { findRepository } from '#db/repositories.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ repo_id: z.number(), pr_number: z.number() })

/** Applies what a merged pull request planned, where the policy of the default branch says so. */
export const applyOnMergeJob: Handler = async (deps, job) => {
  const { repo_id: repoId, pr_number: number } = Payload.parse(job.payload)
  const repository = await findRepository(deps.pool, repoId)
  if (!repository || repository.removed || repository.suspended) return 'ignored'
  await applyOnMerge(deps, repository, number, job.cause ?? undefined)
  return undefined
}
