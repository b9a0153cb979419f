import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that a step writes to, by the variable that names each. */
const variables = { output: 'GITHUB_OUTPUT', env: 'GITHUB_ENV', path: 'GITHUB_PATH', summary: 'GITHUB_STEP_SUMMARY' }

export type CommandFiles = {
  /** Variables that name the files to the step. */
  env: Record<string, string>
  outputs(): Promise<Record<string, string>>
  environment(): Promise<Record<string, string>>
  paths(): Promise<string[]>
  summary(): Promise<string>
}

const lineEnd = /\r?\n/

/**
 * `name=value` lines, and `name<<DELIMITER` with lines up to the delimiter. Throws on anything else.
 * Source: docs.github.com, 'Workflow commands for GitHub Actions', Environment files and Multiline strings.
 */
export const parseAssignments = (text: string): Record<string, string> => {
  const assigned = new Map<string, string>()
  const lines = text.split(lineEnd)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const [, name, sign, rest] = /^(.+?)(=|<<)(.*)$/.exec(line) ?? []
    if (!name || rest === undefined) throw new Error(`invalid format '${line}': expected name=value or name<<DELIMITER`)
    if (sign === '=') {
      assigned.set(name, rest)
      continue
    }
    const end = lines.indexOf(rest, at + 1)
    if (rest === '' || end < 0) throw new Error(`no closing delimiter '${rest}' for '${name}'`)
    assigned.set(name, lines.slice(at + 1, end).join('\n'))
    at = end
  }
  return Object.fromEntries(assigned)
}

/** Variables that GITHUB_ENV may not set for later steps: they would change how every program there runs. */
const refused = new Set(['NODE_OPTIONS'])

const parseEnvironment = (text: string): Record<string, string> => {
  const assigned = parseAssignments(text)
  const name = Object.keys(assigned).find((key) => refused.has(key.toUpperCase()))
  if (name) throw new Error(`${name} cannot be set through GITHUB_ENV`)
  return assigned
}

/** A fresh, empty set of files for one step. */
export const createCommandFiles = async (directory: string): Promise<CommandFiles> => {
  await mkdir(directory, { recursive: true })
  const path = (file: keyof typeof variables) => join(directory, file)
  const names = Object.keys(variables) as (keyof typeof variables)[]
  await Promise.all(names.map((name) => writeFile(path(name), '')))
  const read = async <T>(file: keyof typeof variables, parse: (text: string) => T): Promise<T> => {
    const text = await readFile(path(file), 'utf8').catch(() => '')
    try {
      return parse(text)
    } catch (error) {
      throw new Error(`reading ${variables[file]}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
  return {
    env: Object.fromEntries(names.map((name) => [variables[name], path(name)])),
    outputs: () => read('output', parseAssignments),
    environment: () => read('env', parseEnvironment),
    paths: () => read('path', (text) => text.split(lineEnd).filter((line) => line !== '')),
    summary: () => read('summary', (text) => text),
  }
}
