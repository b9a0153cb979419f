import { z } from 'zod'
import { repoRefOf } from '#commands/repo-ref.ts'
import { findRepository } from '#db/repositories.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ repo_id: z.number(), comment_id: z.number(), reaction: z.enum(['eyes', 'rocket']) })

/** Reacts to a comment; the code host keeps the same reaction once. A comment that is gone meanwhile needs none. */
export const addReaction: Handler = async (deps, job) => {
  const { repo_id, comment_id: commentId, reaction } = Payload.parse(job.payload)
  const repository = await findRepository(deps.pool, repo_id)
  if (!repository || repository.removed) return 'ignored'
  const added = await deps.codehost.addReaction(repoRefOf(repository), commentId, reaction)
  return added ? undefined : 'ignored'
}
