import { isArray, isEqual, isObject, toText, type Value } from './value.ts'

type BuiltIn = { min: number; max: number; call: (args: readonly Value[]) => Value }

const pick = (args: readonly Value[], index: number): Value => args[index] ?? null

const upper = (args: readonly Value[], index: number): string => toText(pick(args, index)).toUpperCase()

const isPrimitive = (value: Value): boolean => typeof value !== 'object' || value === null

/** Of arrays and objects nothing is a beginning or an end. */
const areTexts = (args: readonly Value[]): boolean => args.every(isPrimitive)

/** An array contains an equal element, a string an equal part; an object contains nothing. */
const contains = (args: readonly Value[]): boolean => {
  const search = pick(args, 0)
  const item = pick(args, 1)
  if (isArray(search)) return search.some((element) => isEqual(element, item))
  return isPrimitive(search) && isPrimitive(item) && upper(args, 0).includes(upper(args, 1))
}

/** `{N}` is replaced by argument N, `{{` and `}}` stand for braces; a lone brace is an error. */
const format = (args: readonly Value[]): string => {
  const [pattern, ...values] = args.map(toText)
  return (pattern ?? '').replaceAll(/\{\{|\}\}|\{(\d+)\}|[{}]/g, (found, digits?: string) => {
    if (found === '{{' || found === '}}') return found.charAt(0)
    if (digits === undefined) throw new Error(`format: '${pattern}' has a lone brace; write {{ or }} for a brace`)
    const value = values[Number(digits)]
    if (value === undefined)
      throw new Error(`format: '${pattern}' refers to {${digits}}, given ${values.length} values`)
    return value
  })
}

const join = (args: readonly Value[]): string => {
  const list = pick(args, 0)
  const between = args[1]
  const separator = between === undefined || isObject(between) || isArray(between) ? ',' : toText(between)
  if (isArray(list)) return list.map(toText).join(separator)
  return isObject(list) ? '' : toText(list)
}

const fromJson = (args: readonly Value[]): Value => {
  const text = toText(pick(args, 0))
  try {
    return JSON.parse(text) as Value
  } catch (cause) {
    throw new Error(`fromJSON: ${JSON.stringify(text.slice(0, 60))} is not JSON`, { cause })
  }
}

/**
 * Functions that need nothing but their arguments, by lower-case name; their names have no case.
 * Source: docs.github.com, 'Evaluate expressions in workflows and actions', Functions.
 */
export const builtIns: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ['contains', { min: 2, max: 2, call: contains }],
  ['startswith', { min: 2, max: 2, call: (args) => areTexts(args) && upper(args, 0).startsWith(upper(args, 1)) }],
  ['endswith', { min: 2, max: 2, call: (args) => areTexts(args) && upper(args, 0).endsWith(upper(args, 1)) }],
  ['format', { min: 1, max: 255, call: format }],
  ['join', { min: 1, max: 2, call: join }],
  ['tojson', { min: 1, max: 1, call: (args) => JSON.stringify(pick(args, 0), null, 2) }],
  ['fromjson', { min: 1, max: 1, call: fromJson }],
])

/** Allowed in `if` only: their value depends on the steps or jobs before. */
export const statusFunctions: ReadonlySet<string> = new Set(['success', 'failure', 'always', 'cancelled'])
