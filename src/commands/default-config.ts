import type { Repository } from '#db/repositories.ts'
import { configFileName, defaultConfig, type RepoConfig } from '#domain/config-file.ts'
import type { Warning } from '#domain/warnings.ts'
import type { Deps } from './deps.ts'
import { problemText, readRepoConfig } from './read-repo-config.ts'

export type DefaultConfig = { config: RepoConfig; warnings: Warning[] }

/**
 * The configuration of the default branch, which decides with the uploaded one what is affected. Without a file, or where
 * it is invalid, that of a repository without one: it hides nothing. Invalid is told.
 */
export const readDefaultConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<DefaultConfig> => {
  const parsed = await readRepoConfig(deps, repository)
  if (parsed.ok) return { config: parsed.config, warnings: [] }
  const problems = parsed.problems.map(problemText).join('; ')
  const message = `${configFileName} of ${repository.defaultBranch} is invalid, so that no apply is let through: ${problems}`
  return { config: defaultConfig, warnings: [{ code: 'config_invalid', message }] }
}
