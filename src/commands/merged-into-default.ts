import type { Repository } from '#db/repositories.ts'

/**
 * Whether the default branch has what a pull request changes. A merge into any other branch brings it no further than a push
 * would: the default branch does not say what was applied, so that its locks stay.
 */
export const isMergedIntoDefault = (
  { defaultBranch }: Pick<Repository, 'defaultBranch'>,
  { mergedAt, baseRef }: { mergedAt: Date | string | null; baseRef: string },
): boolean => mergedAt !== null && baseRef === defaultBranch
