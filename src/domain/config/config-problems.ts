import { type Document, isMap, isNode, isScalar, type LineCounter, type Node } from 'yaml'
import type { z } from 'zod'
import { nearest } from '../edit-distance.ts'
import { type JsonSchema, plainJsonSchema } from './config-json-schema.ts'

/** One thing wrong in a configuration file. Line and column count from 1 and are absent for an uploaded object. */
export type ConfigProblem = { key: string; message: string; line?: number; column?: number }

type Key = PropertyKey

/** `stacks[2].instances.prod`: the path to a key as people write it. */
export const keyPath = (path: readonly Key[]): string => {
  let out = ''
  for (const key of path) out += typeof key === 'number' ? `[${key}]` : `${out === '' ? '' : '.'}${String(key)}`
  return out
}

let known: JsonSchema | undefined
const schema = (): JsonSchema => {
  known ??= plainJsonSchema()
  return known
}

/** The keys that the schema knows at a path, for suggesting one in place of a misspelt key. */
const knownKeys = (path: readonly Key[]): string[] => {
  let at: JsonSchema | undefined = schema()
  for (const key of path) {
    const map: JsonSchema | undefined = at?.anyOf?.find((one) => one.properties !== undefined) ?? at
    const rest: JsonSchema | undefined =
      typeof map?.additionalProperties === 'object' ? map.additionalProperties : undefined
    at = typeof key === 'number' ? map?.items : (map?.properties?.[String(key)] ?? rest)
  }
  const map = at?.anyOf?.find((one) => one.properties !== undefined) ?? at
  return Object.keys(map?.properties ?? {})
}

const unknownKey = (parent: readonly Key[], key: string): string => {
  const all = knownKeys(parent)
  const meant = nearest(key, all)
  return meant === undefined ? `'${key}' is not known here` : `'${key}' is not known here: did you mean '${meant}'?`
}

const wanted: Record<string, string> = {
  object: 'a map of keys',
  record: 'a map of keys',
  array: 'a list',
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
}

const oneOf = (values: readonly string[]): string =>
  [values.slice(0, -1).join(', '), ...values.slice(-1)].filter((part) => part !== '').join(' or ')

const expectation = (issue: z.core.$ZodIssue): string | undefined => {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `expected ${wanted[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `expected ${oneOf(issue.values.map(String))}`
  if (issue.code === 'too_small') return `expected ${issue.minimum} or more`
  if (issue.code === 'too_big') return `expected ${issue.maximum} or less`
  return undefined
}

const isMissing = (value: unknown, path: readonly Key[]): boolean => {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return true
    at = (at as Record<Key, unknown>)[key]
  }
  return at === undefined
}

const messageOf = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const expected = expectation(issue)
  if (expected === undefined) return issue.message
  return isMissing(value, issue.path) ? `is missing: ${expected}` : expected
}

type Found = { path: Key[]; message: string; atKey: boolean }

const findingsOf = (issue: z.core.$ZodIssue, value: unknown): Found[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownKey(issue.path, key), atKey: true }))
  return [{ path: [...issue.path], message: messageOf(issue, value), atKey: issue.code === 'invalid_key' }]
}

/** The node that a path leads to, or the nearest one above it if the key is missing. */
const nodeAt = (document: Document, path: readonly Key[], atKey: boolean): Node | null => {
  const parent = path.slice(0, -1)
  const last = path.at(-1)
  const map = parent.length === 0 ? document.contents : document.getIn(parent, true)
  if (atKey && isMap(map)) {
    const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
    if (isNode(pair?.key)) return pair.key
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  if (isNode(node)) return node
  return path.length === 0 ? null : nodeAt(document, parent, false)
}

/** Every problem of a failed check, in the file's order if its document is given. */
export const problemsOf = (
  error: z.ZodError,
  value: unknown,
  source?: { document: Document; lines: LineCounter },
): ConfigProblem[] => {
  const found = error.issues.flatMap((issue) => findingsOf(issue, value))
  if (source === undefined) return found.map(({ path, message }) => ({ key: keyPath(path), message }))
  const placed = found.map(({ path, message, atKey }) => {
    const offset = nodeAt(source.document, path, atKey)?.range?.[0] ?? 0
    const { line, col } = source.lines.linePos(offset)
    return { key: keyPath(path), message, line, column: col }
  })
  return placed.sort((a, b) => a.line - b.line || a.column - b.column)
}
