import { addConfigInvalid } from '#db/audit.ts'
import type { Repository } from '#db/repositories.ts'
import { configFileName, defaultConfig, type ParsedConfig, parseRepoConfig } from '#domain/config-file.ts'
import type { ConfigProblem } from '#domain/config-problems.ts'
import { parseJsonText } from '#domain/json-text.ts'
import type { Deps } from './deps.ts'
import { repoRefOf } from './repo-ref.ts'

/**
 * The configuration file of the default branch, or why it cannot be used: then it is audited, once a commit. A repository
 * without the file has that of the defaults.
 */
export const readRepoConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<ParsedConfig> => {
  const text = await deps.codehost.readFile(repoRefOf(repository), configFileName, repository.defaultBranch)
  if (text === undefined) return { ok: true, config: defaultConfig }
  const parsed = storable(parseRepoConfig(text))
  if (!parsed.ok) await auditInvalid(deps, repository, parsed.problems)
  return parsed
}

const auditInvalid = async (
  { codehost, pool, clock }: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
  problems: readonly ConfigProblem[],
): Promise<void> => {
  const sha = (await codehost.branchHead(repoRefOf(repository), repository.defaultBranch)) ?? 'unknown'
  await addConfigInvalid(pool, {
    at: clock.now(),
    target: repository.fullName,
    details: { repo: repository.fullName, sha, problems: problems.map(problemText) },
  })
}

/** A problem in one line, without what could not be stored. */
export const problemText = ({ key, message, line }: ConfigProblem): string =>
  `${line === undefined ? '' : `line ${line}: `}${key} ${message}`.trim().replaceAll('\0', '').toWellFormed()

/** YAML can spell U+0000 where JSON from a job may not hold it: a name with it could not be stored. */
const storable = (parsed: ParsedConfig): ParsedConfig => {
  if (!parsed.ok) return parsed
  const json = parseJsonText(JSON.stringify(parsed.config))
  return json.ok ? parsed : { ok: false, problems: [{ key: '', message: json.reason }] }
}
