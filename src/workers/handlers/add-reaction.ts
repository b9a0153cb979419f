import type { JobHandler } from '../handler.ts'

/** Reacts to a comment; the code host keeps the same reaction once. A comment deleted meanwhile needs none. */
export const addReaction: JobHandler<'add_reaction'> = async (deps, { repo_id, comment_id, reaction }) => {
  const repository = await deps.findRepository(repo_id)
  if (!repository || repository.removed) return false
  return deps.codehost.addReaction(repository, comment_id, reaction)
}
