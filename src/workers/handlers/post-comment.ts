import { findPullRequest } from '#db/repositories/pull-requests.ts'
import { answerMarker } from '#domain/comments/command-answers.ts'
import { commentOnce } from '#workers/publish/comment-once.ts'
import type { JobHandler } from '../handler.ts'

/**
 * Posts an answer as its own comment. If the comment exists, because a worker died before it could note that, it stays as it
 * is: an answer says how things were when it was given.
 */
export const postComment: JobHandler<'post_comment'> = async (
  deps,
  { repo_id, pr_number: number, name, body },
  job,
) => {
  const repository = await deps.findRepository(repo_id)
  if (!repository || repository.removed) return false
  // a merge may be answered by two jobs, and a command is not
  const since = (await findPullRequest(deps.pool, repo_id, number))?.merged_at
  await commentOnce(deps, { repo: repository, number, marker: answerMarker(name), job, since }, body)
  return true
}
