import { LineCounter, parseDocument, type YAMLError } from 'yaml'
import { type ConfigProblem, problemsOf } from './config-problems.ts'
import { ConfigFile, type RepoConfig, UploadedConfig } from './config-schema.ts'

export type { ConfigProblem } from './config-problems.ts'
export type { RepoConfig } from './config-schema.ts'

export type ParsedConfig = { ok: true; config: RepoConfig } | { ok: false; problems: ConfigProblem[] }

/** The configuration file's path from the repository's root. */
export const configFileName = 'svc.yml'

const MAX_CHARS = 1024 * 1024

/** yaml's own messages end in the place, which we tell apart. */
const plain = (text: string): string => (text.split(' at line ', 1)[0] ?? '').trimEnd()

const syntaxProblem = (error: YAMLError, lines: LineCounter): ConfigProblem => {
  const { line, col } = lines.linePos(error.pos[0])
  return { key: '', message: plain(error.message), line, column: col }
}

/** A key with nothing after it means its default, as when everything below it was commented out. */
const withoutEmpty = (value: unknown, keep: boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, false))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => keep || item !== null)
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutEmpty(item, key === 'instances')]))
}

/**
 * Reads the text of a repository's svc.yml. Returns all problems at once, each with its line, column and key path and, for an
 * unknown key, the nearest known one. An empty file is a file without `version`.
 */
export const parseRepoConfig = (text: string): ParsedConfig => {
  if (text.length > MAX_CHARS) return { ok: false, problems: [{ key: '', message: 'is larger than 1 MB' }] }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  if (document.errors.length > 0)
    return { ok: false, problems: document.errors.map((error) => syntaxProblem(error, lines)) }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    return { ok: false, problems: [{ key: '', message: cause instanceof Error ? cause.message : String(cause) }] }
  }
  const written = withoutEmpty(value ?? {}, false)
  const checked = ConfigFile.safeParse(written)
  if (checked.success) return { ok: true, config: checked.data }
  return { ok: false, problems: problemsOf(checked.error, written, { document, lines }) }
}

/** Checks the `config` object of a graph upload: the file after defaults, at least `version` and `tool`; unknown keys pass. */
export const checkRepoConfig = (value: unknown): ParsedConfig => {
  const checked = UploadedConfig.safeParse(value)
  return checked.success
    ? { ok: true, config: checked.data }
    : { ok: false, problems: problemsOf(checked.error, value) }
}

/** The configuration of a repository without the file. */
export const defaultConfig: RepoConfig = ConfigFile.parse({ version: 1 })
