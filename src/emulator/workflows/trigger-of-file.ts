import picomatch from 'picomatch'
import { parse } from 'yaml'

export type Trigger = {
  /** The workflow's `name`. */
  name: string | undefined
  onPullRequest(action: string, baseRef: string): boolean
}

/** Without `types`, GitHub runs on these. */
const usualTypes = ['opened', 'synchronize', 'reopened']

/**
 * Reads what a workflow file is triggered by; undefined where the file cannot be read, which on GitHub makes a run that
 * fails at its start. Filters that are not known here throw: to overlook one would run what GitHub does not.
 */
export const readTrigger = (path: string, text: string): Trigger | undefined => {
  const file = readMapping(text)
  if (!file || file.on === undefined) return undefined
  const filters = pullRequestFilters(file.on)
  const unknown = Object.keys(filters ?? {}).filter((key) => key !== 'types' && key !== 'branches')
  if (unknown.length > 0)
    throw new Error(`${path}: on.pull_request.${unknown[0]}: the emulator knows types and branches`)
  const types = filters?.types === undefined ? usualTypes : list(filters.types)
  const branches = filters?.branches === undefined ? ['**'] : list(filters.branches)
  return {
    name: typeof file.name === 'string' ? file.name : undefined,
    onPullRequest: (action, baseRef) =>
      filters !== undefined && types.includes(action) && picomatch.isMatch(baseRef, branches),
  }
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readMapping = (text: string): Record<string, unknown> | undefined => {
  try {
    const file: unknown = parse(text)
    return isMapping(file) ? file : undefined
  } catch {
    return undefined
  }
}

/** `on` is one event's name, a list of names, or a mapping from names to filters. Undefined: not on pull requests. */
const pullRequestFilters = (on: unknown): Record<string, unknown> | undefined => {
  if (!isMapping(on)) return list(on).includes('pull_request') ? {} : undefined
  if (!('pull_request' in on)) return undefined
  return isMapping(on.pull_request) ? on.pull_request : {}
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String)
