import { finish, type Steps } from '../steps.ts'
import { type ConfigProblem, firstProblems, problemsInSteps, problemsOf } from './config-problems.ts'
import { ConfigFile, type RepoConfig, UploadedConfig } from './config-schema.ts'
import { bracesProblem } from './written-out.ts'
import { type Place, placesIn } from './yaml-places.ts'
import { readYaml, readYamlInSteps } from './yaml-text.ts'

export type { ConfigProblem } from './config-problems.ts'
export type { RepoConfig } from './config-schema.ts'

export type ParsedConfig = { ok: true; config: RepoConfig } | { ok: false; problems: ConfigProblem[] }

/** The configuration file's path from the repository's root. */
export const configFileName = 'svc.yml'

const MAX_CHARS = 1024 * 1024

/** As deep as a file may be; an upload may hold deeper values, under keys that are not ours. */
const MAX_LEVELS = 50

/** A key with nothing after it means its default, as when everything below it was commented out. */
const withoutEmpty = (value: unknown, keep = false, levels = MAX_LEVELS): unknown => {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, false, levels - 1))
  const entries = Object.entries(value).filter(([, item]) => keep || item !== null)
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutEmpty(item, key === 'instances', levels - 1)]))
}

/**
 * Reads the text of a repository's svc.yml. Returns its problems at once, 50 at most, each with its line, column and key path
 * and, for an unknown key, the nearest known one. An empty file is a file without `version`.
 */
export const parseRepoConfig = (text: string): ParsedConfig => finish(parseRepoConfigInSteps(text))

/** The same for who has others waiting. */
export function* parseRepoConfigInSteps(text: string): Steps<ParsedConfig> {
  if (text.length > MAX_CHARS) return { ok: false, problems: [{ key: '', message: 'is larger than 1 MB' }] }
  const yaml = yield* readYamlInSteps(text)
  if (!yaml.ok) return { ok: false, problems: firstProblems(yaml.problems, (problem) => ({ key: '', ...problem })) }
  yield
  const written = withoutEmpty(yaml.read.value ?? {})
  yield
  const message = yield* bracesProblem(written)
  if (message !== undefined) return { ok: false, problems: [{ key: '', message }] }
  const checked = ConfigFile.safeParse(written)
  yield
  if (checked.success) return { ok: true, config: checked.data }
  // the error is made when it is asked for
  const { error } = checked
  yield
  return { ok: false, problems: yield* problemsInSteps(error, written, yaml.read) }
}

/** Finds the places of keys in the text of a file that parseRepoConfig took. */
export const placesOfConfig = (text: string): ((path: readonly PropertyKey[]) => Place | undefined) => {
  const yaml = readYaml(text)
  const placeOf = yaml.ok ? placesIn(yaml.read) : undefined
  return (path) => placeOf?.({ path, atKey: false })
}

/** Checks the `config` object of a graph upload: the file after defaults, at least `version` and `tool`; unknown keys pass. */
export const checkRepoConfig = (value: unknown): ParsedConfig => {
  const written = withoutEmpty(value)
  const checked = UploadedConfig.safeParse(written)
  return checked.success
    ? { ok: true, config: checked.data }
    : { ok: false, problems: problemsOf(checked.error, written) }
}

/** The configuration of a repository without the file. */
export const defaultConfig: RepoConfig = ConfigFile.parse({ version: 1 })

/** What stands in for a file that cannot be read: the defaults, but what it may keep to `summary` is not known, so all is. */
export const unreadConfig: RepoConfig = ConfigFile.parse({ version: 1, plan: { output: 'summary' } })
