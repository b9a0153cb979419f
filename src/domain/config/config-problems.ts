import type { z } from 'zod'
import { clip } from '#domain/texts/markdown.ts'
import { nearest } from '../edit-distance.ts'
import { finish, type Steps } from '../steps.ts'
import { type JsonSchema, plainJsonSchema } from './config-json-schema.ts'
import { type Place, placesIn } from './yaml-places.ts'
import type { YamlText } from './yaml-text.ts'

/** One thing wrong in a configuration file. Line and column count from 1 and are absent for an uploaded object. */
export type ConfigProblem = { key: string; message: string; line?: number; column?: number }

type Key = PropertyKey

/** Who wrote a key finds it by its beginning; 50 keys that fill a file would be told several times over. */
const shown = (key: Key): string => clip(String(key), 100)

/** Three keys that are clipped. */
const mostPathChars = 300

/** `stacks[2].instances.prod`: the path to a key as people write it. */
export const keyPath = (path: readonly Key[]): string => {
  let out = ''
  for (const key of path) out += typeof key === 'number' ? `[${key}]` : `${out === '' ? '' : '.'}${shown(key)}`
  return clip(out, mostPathChars)
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
  const told = `'${shown(key)}' is not known here`
  return meant === undefined ? told : `${told}: did you mean '${meant}'?`
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

/** `message` is only made for those that are shown: the nearest known key is looked for among all. */
type Found = { path: Key[]; message: () => string; atKey: boolean }

const isOfAnotherKind = ({ path, code }: z.core.$ZodIssue): boolean => path.length === 0 && code === 'invalid_type'

/** A value that may be of several kinds has the problems of the kind that it is; if it is of none, the last is expected. */
const ofItsKind = ({ errors, path }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] => {
  const found = errors.find((issues) => !issues.some(isOfAnotherKind)) ?? errors.at(-1) ?? []
  return found.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}

const findingsOf = (issue: z.core.$ZodIssue, value: unknown): Found[] => {
  if (issue.code === 'invalid_union') return ofItsKind(issue).flatMap((inner) => findingsOf(inner, value))
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: () => unknownKey(issue.path, key),
      atKey: true,
    }))
  return [{ path: [...issue.path], message: () => messageOf(issue, value), atKey: issue.code === 'invalid_key' }]
}

/** Nobody fixes more at once, and 10,000 of them were 3 MB in an answer of the gate. */
export const problemsShown = 50

/** A library's own message may quote what it found, however long. */
const mostMessageChars = 1000

/** The first of many problems, and how many more there are, as one more of them. */
export const firstProblems = <T>(found: readonly T[], tell: (one: T) => ConfigProblem): ConfigProblem[] => {
  const more = found.length - problemsShown
  const first = found
    .slice(0, problemsShown)
    .map(tell)
    .map((problem) => ({ ...problem, message: clip(problem.message, mostMessageChars) }))
  return more > 0 ? [...first, { key: '', message: `and ${more} more ${more === 1 ? 'problem' : 'problems'}` }] : first
}

const byPlace = (a: Place, b: Place): number => a.line - b.line || a.column - b.column

/** What is made in some 5 ms. */
const portion = 1000

/** Each of a list turned into another thing, in portions. */
function* each<A, B>(all: Iterable<A>, turn: (one: A) => B): Steps<B[]> {
  const turned: B[] = []
  for (const one of all) {
    turned.push(turn(one))
    if (turned.length % portion === 0) yield
  }
  return turned
}

/** The problems of a failed check, 50 at most, in the file's order if its text is given. */
export const problemsOf = (error: z.ZodError, value: unknown, source?: YamlText): ConfigProblem[] =>
  finish(problemsInSteps(error, value, source))

/** The same for who has others waiting: a file of 256 KB may have 18,000. */
export function* problemsInSteps(error: z.ZodError, value: unknown, source?: YamlText): Steps<ConfigProblem[]> {
  const found = (yield* each(error.issues, (issue) => findingsOf(issue, value))).flat()
  const tell = ({ path, message }: Found): ConfigProblem => ({ key: keyPath(path), message: message() })
  if (source === undefined) return firstProblems(found, tell)
  const placeOf = placesIn(source)
  const placed = yield* each(found, (one) => ({ one, place: placeOf(one) }))
  yield
  placed.sort((a, b) => byPlace(a.place, b.place))
  return firstProblems(placed, ({ one, place }) => ({ ...tell(one), ...place }))
}
