import { addConfigInvalid } from '#db/audit.ts'
import type { Repository } from '#db/repositories.ts'
import {
  configFileName,
  defaultConfig,
  type ParsedConfig,
  parseRepoConfig,
  type RepoConfig,
} from '#domain/config-file.ts'
import { parseJsonText } from '#domain/json-text.ts'
import type { Warning } from '#domain/warnings.ts'
import type { Deps } from './deps.ts'
import { repoRefOf } from './repo-ref.ts'

export type DefaultConfig = { config: RepoConfig; warnings: Warning[] }

/**
 * The configuration of the default branch, which decides with the uploaded one what is affected. Without a file, or where
 * it is invalid, that of a repository without one: it hides nothing. Invalid is audited once a commit, and told.
 */
export const readDefaultConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<DefaultConfig> => {
  const repo = repoRefOf(repository)
  const text = await deps.codehost.readFile(repo, configFileName, repository.defaultBranch)
  if (text === undefined) return { config: defaultConfig, warnings: [] }
  const parsed = storable(parseRepoConfig(text))
  if (parsed.ok) return { config: parsed.config, warnings: [] }
  const sha = (await deps.codehost.branchHead(repo, repository.defaultBranch)) ?? 'unknown'
  const problems = parsed.problems.map((problem) =>
    `${problem.line === undefined ? '' : `line ${problem.line}: `}${problem.key} ${problem.message}`
      .trim()
      .replaceAll('\0', '')
      .toWellFormed(),
  )
  await addConfigInvalid(deps.pool, {
    at: deps.clock.now(),
    target: repository.fullName,
    details: { repo: repository.fullName, sha, problems },
  })
  const message = `${configFileName} of ${repository.defaultBranch} is invalid, so that no apply is let through: ${problems.join('; ')}`
  return { config: defaultConfig, warnings: [{ code: 'config_invalid', message }] }
}

/** YAML can spell U+0000 where JSON from a job may not hold it: a name with it could not be stored. */
const storable = (parsed: ParsedConfig): ParsedConfig => {
  if (!parsed.ok) return parsed
  const json = parseJsonText(JSON.stringify(parsed.config))
  return json.ok ? parsed : { ok: false, problems: [{ key: '', message: json.reason }] }
}
