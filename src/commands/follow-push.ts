import { findRepository } from '#db/repositories.ts'
import type { Deps } from './deps.ts'
import { readRepoConfig } from './read-repo-config.ts'

/**
 * After a push to the default branch its configuration is read anew: an invalid one is audited at once, and not only when
 * the next pull request meets it. False where nothing follows from the push.
 */
export const followPush = async (
  deps: Pick<Deps, 'pool' | 'codehost' | 'clock' | 'log'>,
  push: { repoId: number; ref: string; deleted: boolean },
): Promise<boolean> => {
  const repository = await findRepository(deps.pool, push.repoId)
  if (!repository || repository.removed || repository.suspended) return false
  if (push.deleted || push.ref !== `refs/heads/${repository.defaultBranch}`) return false
  const parsed = await readRepoConfig(deps, repository)
  if (!parsed.ok) deps.log.warn({ repo: repository.fullName }, 'the configuration of the default branch is invalid')
  return true
}
