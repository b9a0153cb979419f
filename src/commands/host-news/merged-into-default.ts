import type { Repository } from '#db/repositories/repositories.ts'

/**
 * Whether the default branch has a pull request's change. A merge into any other branch counts no more than a push: the
 * default branch does not say what was applied, so the pull request's locks stay.
 */
export const isMergedIntoDefault = (
  repository: Pick<Repository, 'default_branch'>,
  pull: { merged_at: Date | string | null; base_ref: string },
): boolean => pull.merged_at !== null && pull.base_ref === repository.default_branch
