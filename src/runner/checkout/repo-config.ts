import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type ConfigProblem,
  configFileName,
  defaultConfig,
  parseRepoConfig,
  type RepoConfig,
} from '#domain/config/config-file.ts'
import { problemsShown } from '#domain/config/config-problems.ts'
import { Problem } from '#errors.ts'
import type { Output } from '../output/output.ts'
import { askGit } from './git.ts'

/** The text of a file; undefined if there is none. */
export const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Problem('invalid', `reading ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** The name that files of YAML have elsewhere. It is not read: with both of them, which one counts would be a riddle. */
const misnamed = 'svc.yaml'

/** Says what to do where the configuration has another name; undefined where it has not. */
export const misnamedHint = async (root: string): Promise<string | undefined> =>
  (await readText(resolve(root, misnamed))) === undefined
    ? undefined
    : `${misnamed} is not read: its name must be ${configFileName}`

/** `stacks[0].match: expected text`, or the message alone if the whole file is at fault. */
export const problemText = ({ key, message }: ConfigProblem): string => (key === '' ? message : `${key}: ${message}`)

export const tellProblems = (output: Output, file: string, problems: readonly ConfigProblem[]): void => {
  for (const problem of problems)
    output.fail(problemText(problem), { file, line: problem.line, column: problem.column })
}

const count = (problems: readonly ConfigProblem[]): string => {
  if (problems.length > problemsShown) return `more than ${problemsShown} problems`
  return problems.length === 1 ? 'a problem' : `${problems.length} problems`
}

/**
 * Reads the configuration of a checkout, or the defaults if it has none. Reports every problem with its place before it throws
 * the Problem.
 */
export const readRepoConfig = async (root: string, output: Output, file = configFileName): Promise<RepoConfig> => {
  const text = await readText(resolve(root, file))
  if (text === undefined && file === configFileName) {
    const hint = await misnamedHint(root)
    if (hint !== undefined) output.warn(hint)
    return defaultConfig
  }
  if (text === undefined) throw new Problem('not_found', `there is no file ${file}`)
  const parsed = parseRepoConfig(text)
  if (parsed.ok) return parsed.config
  tellProblems(output, file, parsed.problems)
  throw new Problem('invalid', `${file} has ${count(parsed.problems)}`, { details: { problems: parsed.problems } })
}

/** The configuration at a commit: the defaults if it has none, undefined if it is invalid or cannot be read. */
export const repoConfigAt = async (root: string, commit: string): Promise<RepoConfig | undefined> => {
  const listed = await askGit(root, 'ls-tree', '--name-only', commit, '--', configFileName)
  if (listed === undefined) return undefined
  if (listed.trim() === '') return defaultConfig
  const parsed = parseRepoConfig((await askGit(root, 'show', `${commit}:${configFileName}`)) ?? '')
  return parsed.ok ? parsed.config : undefined
}
