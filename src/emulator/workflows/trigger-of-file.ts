import picomatch from 'picomatch'
import { parse } from 'yaml'

export type DispatchInput = {
  required: boolean
  default: string | undefined
  /** The allowed values of a choice. */
  options: string[] | undefined
}

export type Trigger = {
  /** The workflow's `name` and `run-name`. */
  name: string | undefined
  runName: string | undefined
  onPullRequest(action: string, baseRef: string): boolean
  onMergeGroup(baseRef: string): boolean
  /** Undefined: the workflow cannot be dispatched. */
  dispatchInputs: ReadonlyMap<string, DispatchInput> | undefined
}

/** Without `types`, GitHub runs on these. */
const usualTypes = ['opened', 'synchronize', 'reopened']

/**
 * Reads the triggers of a workflow file; undefined if the file cannot be read, which on GitHub makes a run that fails at its
 * start. Unknown filters throw: ignoring one would run what GitHub does not.
 */
export const readTrigger = (path: string, text: string): Trigger | undefined => {
  const file = readMapping(text)
  if (!file || file.on === undefined) return undefined
  const filters = filtersOf(path, file.on, 'pull_request')
  const queue = filtersOf(path, file.on, 'merge_group')
  const types = filters?.types === undefined ? usualTypes : list(filters.types)
  const dispatch = settingsOf(file.on, 'workflow_dispatch')
  return {
    name: typeof file.name === 'string' ? file.name : undefined,
    runName: typeof file['run-name'] === 'string' ? file['run-name'] : undefined,
    onPullRequest: (action, baseRef) => filters !== undefined && types.includes(action) && isOnBranch(filters, baseRef),
    onMergeGroup: (baseRef) => queue !== undefined && isOnBranch(queue, baseRef),
    dispatchInputs: dispatch && new Map(Object.entries(mapping(dispatch.inputs)).map(inputOf)),
  }
}

const isOnBranch = ({ branches }: Record<string, unknown>, baseRef: string): boolean =>
  picomatch.isMatch(baseRef, branches === undefined ? ['**'] : list(branches))

const filtersOf = (path: string, on: unknown, event: string): Record<string, unknown> | undefined => {
  const filters = settingsOf(on, event)
  const unknown = Object.keys(filters ?? {}).filter((key) => key !== 'types' && key !== 'branches')
  if (unknown.length > 0) throw new Error(`${path}: on.${event}.${unknown[0]}: the emulator knows types and branches`)
  return filters
}

const inputOf = ([name, given]: [string, unknown]): [string, DispatchInput] => {
  const input = mapping(given)
  const options = input.type === 'choice' ? list(input.options) : undefined
  const fallback = input.default === undefined ? undefined : String(input.default)
  return [name, { required: input.required === true, default: fallback, options }]
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapping = (value: unknown): Record<string, unknown> => (isMapping(value) ? value : {})

const readMapping = (text: string): Record<string, unknown> | undefined => {
  try {
    const file: unknown = parse(text)
    return isMapping(file) ? file : undefined
  } catch {
    return undefined
  }
}

/** `on` is one event's name, a list of names, or a mapping from names to settings. Undefined: not on this event. */
const settingsOf = (on: unknown, event: string): Record<string, unknown> | undefined => {
  if (!isMapping(on)) return list(on).includes(event) ? {} : undefined
  return event in on ? mapping(on[event]) : undefined
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String)
