import type { Repository } from '#db/repositories/repositories.ts'
import { type RepoConfig, unreadConfig } from '#domain/config/config-file.ts'
import { configInvalid, type Warning } from '#domain/texts/warnings.ts'
import type { Deps } from '../deps.ts'
import { problemText, readRepoConfig } from './read-repo-config.ts'

export type DefaultConfig = { config: RepoConfig; warnings: Warning[] }

/**
 * The configuration of the default branch, which decides together with the uploaded one what is affected. Without a file the
 * defaults: they hide nothing. With an invalid one the defaults too, and a warning, but no text of a plan is kept.
 */
export const readDefaultConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<DefaultConfig> => {
  const parsed = await readRepoConfig(deps, repository)
  if (parsed.ok) return { config: parsed.config, warnings: [] }
  return {
    config: unreadConfig,
    warnings: [configInvalid(repository.default_branch, parsed.problems.map(problemText))],
  }
}
