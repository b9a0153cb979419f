import { z } from 'zod'
import { repoRefOf } from '#commands/repo-ref.ts'
import { findRepository } from '#db/repositories.ts'
import { answerMarker } from '#domain/command-answers.ts'
import { commentOnce } from '../comment-once.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ repo_id: z.number(), pr_number: z.number(), name: z.string(), body: z.string() })

/**
 * Posts an answer in a comment of its own. One that is there already, because a worker died before it could say so, is
 * left as it is: an answer says how things were when it was given.
 */
export const postComment: Handler = async (deps, job) => {
  const { repo_id, pr_number: number, name, body } = Payload.parse(job.payload)
  const repository = await findRepository(deps.pool, repo_id)
  if (!repository || repository.removed) return 'ignored'
  await commentOnce(deps, { repo: repoRefOf(repository), number, marker: answerMarker(name) }, body)
  return undefined
}
