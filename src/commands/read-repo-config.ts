import { addConfigInvalid } from '#db/audit.ts'
import { noteDriftSettings } from '#db/drift-schedules.ts'
import { timeOfDatabase } from '#db/pull-requests.ts'
import type { Repository } from '#db/repositories.ts'
import {
  configFileName,
  defaultConfig,
  type ParsedConfig,
  parseRepoConfig,
  type RepoConfig,
} from '#domain/config-file.ts'
import type { ConfigProblem } from '#domain/config-problems.ts'
import { parseJsonText } from '#domain/json-text.ts'
import { nextTick } from '#domain/next-tick.ts'
import type { Deps } from './deps.ts'
import { repoRefOf } from './repo-ref.ts'

/**
 * The configuration file of the default branch, or why it cannot be used: then it is audited, once a commit. A repository
 * without the file has that of the defaults. Whoever reads it brings what is due by it up to date; where it cannot be used, that
 * goes on as before, and tells each time why nothing comes of it.
 */
export const readRepoConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<ParsedConfig> => {
  const readAt = await timeOfDatabase(deps.pool)
  // of whatever branch is the default one now: of one that was renamed a moment ago the old name has no file, as if there were no policy
  const text = await deps.codehost.readFile(repoRefOf(repository), configFileName)
  const parsed: ParsedConfig =
    text === undefined ? { ok: true, config: defaultConfig } : storable(parseRepoConfig(text))
  if (parsed.ok) await noteSettings(deps, repository, parsed.config, readAt)
  else await auditInvalid(deps, repository, parsed.problems)
  return parsed
}

const noteSettings = async (
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { id }: Repository,
  { drift: { schedule, issues } }: RepoConfig,
  readAt: Date,
): Promise<void> => {
  const nextAt = schedule === undefined ? undefined : nextTick(schedule, clock.now())
  await noteDriftSettings(pool, id, { schedule: schedule ?? null, issues, nextAt: nextAt ?? null }, readAt)
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
