import { findRepository, type Repository } from '#db/repositories.ts'
import type { Deps } from './deps.ts'
import { readRepoConfig } from './read-repo-config.ts'

type FollowDeps = Pick<Deps, 'pool' | 'codehost' | 'clock' | 'log'>

/**
 * After a push to the default branch its configuration is read anew: an invalid one is audited at once, and not only when
 * the next pull request meets it, and checks for drift follow its schedule. False where nothing follows from the push.
 */
export const followPush = async (
  deps: FollowDeps,
  push: { repoId: number; ref: string; deleted: boolean },
): Promise<boolean> => {
  const repository = await findRepository(deps.pool, push.repoId)
  if (!repository || push.deleted || push.ref !== `refs/heads/${repository.defaultBranch}`) return false
  return readConfigOf(deps, repository)
}

/** The same for a repository whose configuration nobody has read yet. */
export const followConfig = async (deps: FollowDeps, repoId: number): Promise<boolean> => {
  const repository = await findRepository(deps.pool, repoId)
  return repository !== undefined && readConfigOf(deps, repository)
}

const readConfigOf = async (deps: FollowDeps, repository: Repository): Promise<boolean> => {
  if (repository.removed || repository.suspended) return false
  const parsed = await readRepoConfig(deps, repository)
  if (!parsed.ok) deps.log.warn({ repo: repository.fullName }, 'the configuration of the default branch is invalid')
  return true
}
