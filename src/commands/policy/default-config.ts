import type { Repository } from '#db/repositories/repositories.ts'
import { configFileName, defaultConfig, type RepoConfig } from '#domain/config/config-file.ts'
import type { Warning } from '#domain/texts/warnings.ts'
import type { Deps } from '../deps.ts'
import { problemText, readRepoConfig } from './read-repo-config.ts'

export type DefaultConfig = { config: RepoConfig; warnings: Warning[] }

/**
 * The configuration of the default branch, which decides together with the uploaded one what is affected. Without a file, or
 * with an invalid one, the defaults: they hide nothing. An invalid one gives a warning.
 */
export const readDefaultConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<DefaultConfig> => {
  const parsed = await readRepoConfig(deps, repository)
  if (parsed.ok) return { config: parsed.config, warnings: [] }
  const problems = parsed.problems.map(problemText).join('; ')
  const message = `${configFileName} of ${repository.default_branch} is invalid, so no apply is allowed: ${problems}`
  return { config: defaultConfig, warnings: [{ code: 'config_invalid', message }] }
}
