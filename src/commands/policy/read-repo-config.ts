import { noteDriftSettings } from '#db/drift/drift-schedules.ts'
import { timeOfDatabase } from '#db/moment.ts'
import { addConfigInvalid } from '#db/people/audit.ts'
import { noteApplyMode, type Repository } from '#db/repositories/repositories.ts'
import {
  configFileName,
  defaultConfig,
  type ParsedConfig,
  parseRepoConfigInSteps,
  type RepoConfig,
} from '#domain/config/config-file.ts'
import type { ConfigProblem } from '#domain/config/config-problems.ts'
import { nextTick } from '#domain/config/cron.ts'
import { parseJsonText } from '#domain/json-text.ts'
import { inSteps } from '#portions.ts'
import type { Deps } from '../deps.ts'

/**
 * The configuration file of the default branch, or why it cannot be used: then it is audited, once per commit. A repository
 * without the file has the defaults. Each read updates the schedule for drift from it; a file that cannot be used leaves the
 * schedule as it was, and each check then says why it did not happen.
 */
export const readRepoConfig = async (
  deps: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
): Promise<ParsedConfig> => {
  const readAt = await timeOfDatabase(deps.pool)
  // no branch is named, so the current default branch is read: under the old name of a branch renamed a moment ago there is
  // no file, as if there were no policy
  const text = await deps.codehost.readFile(repository, configFileName)
  const parsed: ParsedConfig = text === undefined ? { ok: true, config: defaultConfig } : await readConfigText(text)
  if (parsed.ok) await noteSettings(deps, repository, parsed.config, readAt)
  else await auditInvalid(deps, repository, parsed.problems)
  return parsed
}

/** The text of such a file, read with turns for others: 1 MB takes a second. */
export const readConfigText = async (text: string): Promise<ParsedConfig> =>
  storable(await inSteps(parseRepoConfigInSteps(text)))

const noteSettings = async (
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { id }: Repository,
  { drift: { schedule, issues, plan }, apply: { mode } }: RepoConfig,
  readAt: Date,
): Promise<void> => {
  await noteApplyMode(pool, id, mode, readAt)
  const nextAt = schedule === undefined ? undefined : nextTick(schedule, clock.now())
  await noteDriftSettings(
    pool,
    id,
    { schedule: schedule ?? null, issues: issues || plan, plan, nextAt: nextAt ?? null },
    readAt,
  )
}

const auditInvalid = async (
  { codehost, pool, clock }: Pick<Deps, 'codehost' | 'pool' | 'clock'>,
  repository: Repository,
  problems: readonly ConfigProblem[],
): Promise<void> => {
  const sha = (await codehost.branchHead(repository, repository.default_branch)) ?? 'unknown'
  await addConfigInvalid(pool, {
    at: clock.now(),
    target: repository.full_name,
    details: { repo: repository.full_name, sha, problems: problems.map(problemText) },
  })
}

/** A problem in one line, without characters that cannot be stored. */
export const problemText = ({ key, message, line }: ConfigProblem): string =>
  `${line === undefined ? '' : `line ${line}: `}${key} ${message}`.trim().replaceAll('\0', '').toWellFormed()

/** YAML can spell U+0000, which JSON from a job may not hold: a name with it could not be stored. */
const storable = (parsed: ParsedConfig): ParsedConfig => {
  if (!parsed.ok) return parsed
  const json = parseJsonText(JSON.stringify(parsed.config))
  return json.ok ? parsed : { ok: false, problems: [{ key: '', message: json.reason }] }
}
