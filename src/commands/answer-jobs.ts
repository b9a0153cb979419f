import { installationLane, type NewJob } from '#db/jobs.ts'
import type { Repository } from '#db/repositories.ts'
import { Problem } from '#errors.ts'

type Where = Pick<Repository, 'id' | 'installationId'>

/**
 * The wish that a pull request has a comment of its own which answers `name` (a command's comment, a merge): posted once,
 * however often it is wished.
 */
export const postCommentJob = (
  repository: Where,
  { prNumber, name, body }: { prNumber: number; name: string; body: string },
  cause: string | undefined,
): NewJob => ({
  kind: 'post_comment',
  key: `${repository.id} ${prNumber} ${name}`,
  lane: installationLane(repository.installationId),
  payload: { repo_id: repository.id, pr_number: prNumber, name, body },
  cause: cause ?? null,
})

/** The wish that a comment has a reaction: eyes when it was read, a rocket when what it asked for has begun. */
export const addReactionJob = (
  repository: Where,
  { commentId, reaction }: { commentId: number; reaction: 'eyes' | 'rocket' },
  cause: string | undefined,
): NewJob => ({
  kind: 'add_reaction',
  key: `${repository.id} ${commentId} ${reaction}`,
  lane: installationLane(repository.installationId),
  payload: { repo_id: repository.id, comment_id: commentId, reaction },
  cause: cause ?? null,
})

/** What an answer says of an error: what is no `Problem` has no words for people, and may name what is none of theirs. */
export const reasonOf = (error: unknown): string =>
  error instanceof Problem ? error.message : 'an error of its own, which its log has'
