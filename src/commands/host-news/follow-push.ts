import { keepToSummary } from '#commands/policy/keep-to-summary.ts'
import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Deps } from '../deps.ts'

type FollowDeps = Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'clock' | 'log'>

/**
 * Reads the configuration again after a push to the default branch: an invalid one is audited at once, not only when the next
 * pull request meets it, checks for drift follow the new schedule, and runs that are under way keep no more text than it lets
 * them. False if nothing follows from the push.
 */
export const followPush = async (
  deps: FollowDeps,
  push: { repoId: number; ref: string; deleted: boolean },
): Promise<boolean> => {
  const repository = await deps.findRepository(push.repoId)
  if (!repository || push.deleted || push.ref !== `refs/heads/${repository.default_branch}`) return false
  return readConfigOf(deps, repository)
}

/** The same for a repository whose configuration has never been read. */
export const followConfig = async (deps: FollowDeps, repoId: number): Promise<boolean> => {
  const repository = await deps.findRepository(repoId)
  return repository !== undefined && readConfigOf(deps, repository)
}

const readConfigOf = async (deps: FollowDeps, repository: Repository): Promise<boolean> => {
  if (repository.removed || repository.suspended) return false
  const parsed = await readRepoConfig(deps, repository)
  if (parsed.ok) await keepToSummary(deps, repository.id, parsed.config)
  else deps.log.warn({ repo: repository.full_name }, 'the configuration of the default branch is invalid')
  return true
}
