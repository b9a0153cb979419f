import { basename, dirname, join } from 'node:path/posix'
import { readYaml } from '#domain/config/yaml-text.ts'
import { Absent, canonicalText, isEqual, orAbsent } from '../../hcl/operators.ts'
import { asText, bounded, isKnown, isObject, MOST_SIZE, type Partly, sizeOf } from '../../hcl/value.ts'
import { isOfMachine } from './places.ts'

/*
 * The functions of the language that paths and names are made with. Each is given known arguments and gives undefined where it
 * would need more than is here to be as exact as the language: a wrong value is worse than none.
 */

type Plain = (...args: readonly Partly[]) => Partly

const isList = (value: Partly): value is readonly Partly[] => Array.isArray(value)

/** A function of texts; undefined if an argument is none. */
const texts =
  (made: (...args: string[]) => Partly): Plain =>
  (...args) => {
    const given = args.map(asText)
    return given.includes(undefined) ? undefined : made(...(given as string[]))
  }

const list =
  (made: (items: readonly Partly[], ...more: Partly[]) => Partly): Plain =>
  (first, ...more) =>
    isList(first) ? made(first, ...more) : undefined

const parsed = (text: string): Partly => {
  try {
    return JSON.parse(text) as Partly
  } catch {
    return undefined
  }
}

const yaml = (text: string): Partly => {
  const made = readYaml(text)
  return made.ok ? (made.read.value as Partly) : undefined
}

/** `%s`, `%d`, `%v` and `%%`; any other verb is left to the tool. */
const format: Plain = (pattern, ...args) => {
  if (typeof pattern !== 'string') return undefined
  let next = 0
  let isWhole = true
  let chars = pattern.length
  const made = pattern.replaceAll(/%(.?)/g, (_, verb: string) => {
    if (verb === '%') return '%'
    const value = 'sdv'.includes(verb) && verb !== '' ? asText(args[next]) : undefined
    next += 1
    chars += value?.length ?? 0
    if (value === undefined || chars > MOST_SIZE) isWhole = false
    return isWhole ? (value ?? '') : ''
  })
  return isWhole && next === args.length ? made : undefined
}

const trimmedBy = (text: string, letters: string, at: 'start' | 'end' | 'both'): string => {
  let [from, to] = [0, text.length]
  while (at !== 'end' && from < to && letters.includes(text[from] ?? '')) from += 1
  while (at !== 'start' && to > from && letters.includes(text[to - 1] ?? '')) to -= 1
  return text.slice(from, to)
}

/** Whether values may be put together: each of them is bounded, and a call may be given any number. */
const fitTogether = (values: readonly Partly[]): boolean =>
  values.reduce((sum: number, one) => sum + sizeOf(one), 0) <= MOST_SIZE

const merged: Plain = (...maps) => {
  const all = maps.filter((map) => map !== null)
  return all.every(isObject) && fitTogether(all) ? Object.assign(Object.create(null), ...all) : undefined
}

const lookup: Plain = (map, key, fallback) => {
  const name = asText(key)
  if (!isObject(map) || name === undefined) return undefined
  return Object.hasOwn(map, name) ? map[name] : fallback
}

/** The first of those that are equal. */
const distinct = (items: readonly Partly[]): Partly => {
  const first = new Map<string, Partly>()
  for (const item of items) {
    const text = canonicalText(item)
    if (!first.has(text)) first.set(text, item)
  }
  return [...first.values()]
}

const joined: Plain = (separator, ...lists) => {
  if (typeof separator !== 'string' || !lists.every(isList) || !fitTogether(lists)) return undefined
  const items = lists.flat().map(asText)
  const isLong = separator.length * items.length > MOST_SIZE
  return items.includes(undefined) || isLong ? undefined : items.join(separator)
}

/** A pattern between slashes is left to the tool. */
const replaced = (text: string, part: string, by: string): Partly => {
  if (part === '' || (part.length > 1 && part.startsWith('/') && part.endsWith('/'))) return undefined
  const pieces = text.split(part)
  return text.length + (pieces.length - 1) * by.length > 2 * MOST_SIZE ? undefined : pieces.join(by)
}

const plainFunctions: Readonly<Record<string, Plain>> = {
  abspath: texts((path) => (path.startsWith('/') ? join(path) : undefined)),
  basename: texts((path) => basename(path)),
  dirname: texts((path) => dirname(path)),
  endswith: texts((text, end) => text.endsWith(end ?? '')),
  startswith: texts((text, start) => text.startsWith(start ?? '')),
  strcontains: texts((text, part) => text.includes(part ?? '')),
  format,
  join: joined,
  split: texts((separator, text = '') => text.split(separator)),
  replace: texts((text, part = '', by = '') => replaced(text, part, by)),
  lower: texts((text) => text.toLowerCase()),
  upper: texts((text) => text.toUpperCase()),
  chomp: texts((text) => text.replace(/(?:\r\n|\n|\r)$/, '')),
  trim: texts((text, letters = '') => trimmedBy(text, letters, 'both')),
  trimspace: texts((text) => text.trim()),
  trimprefix: texts((text, start = '') => (text.startsWith(start) ? text.slice(start.length) : text)),
  trimsuffix: texts((text, end = '') => (end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text)),
  substr: (text, offset, length) =>
    typeof text === 'string' && typeof offset === 'number' && typeof length === 'number' && offset >= 0
      ? [...text].slice(offset, length < 0 ? undefined : offset + length).join('')
      : undefined,
  tostring: texts((text) => text),
  tobool: texts((text) => (text === 'true' ? true : text === 'false' ? false : undefined)),
  tonumber: texts((text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined)),
  jsondecode: texts(parsed),
  yamldecode: texts(yaml),
  merge: merged,
  lookup,
  concat: (...lists) => (lists.every(isList) && fitTogether(lists) ? lists.flat() : undefined),
  compact: list((items) => items.filter((item) => item !== null && item !== '')),
  contains: list((items, wanted) => items.some((item) => isEqual(item, wanted) === true)),
  distinct: list(distinct),
  element: list((items, index) =>
    typeof index === 'number' && index >= 0 && items.length > 0 ? items[index % items.length] : undefined,
  ),
  flatten: list((items) => items.flat(20) as Partly),
  reverse: list((items) => [...items].reverse()),
  slice: list((items, from, to) =>
    typeof from === 'number' && typeof to === 'number' ? items.slice(from, to) : undefined,
  ),
  tolist: list((items) => items),
  keys: (map) => (isObject(map) ? Object.keys(map).sort() : undefined),
  values: (map) =>
    isObject(map)
      ? Object.keys(map)
          .sort()
          .map((name) => map[name])
      : undefined,
  length: (value) =>
    isList(value) ? value.length : isObject(value) ? Object.keys(value).length : asText(value)?.length,
}

const isAnyOfMachine = (value: Partly): boolean => {
  if (typeof value === 'string') return isOfMachine(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(isAnyOfMachine)
}

/** What these make of an absolute path still begins with it. */
const KEEPS_PATHS = new Set([
  'abspath',
  'concat',
  'dirname',
  'element',
  'format',
  'join',
  'lookup',
  'merge',
  'tolist',
  'tostring',
  'values',
])

/** What these take off the beginning of an absolute path may be the part of it that differs from machine to machine. */
const TAKES_OFF = new Set(['replace', 'trimprefix'])

const mayKnow = (name: string, args: readonly Partly[]): boolean =>
  KEEPS_PATHS.has(name) ||
  name === 'basename' ||
  !args.some(isAnyOfMachine) ||
  (TAKES_OFF.has(name) && isAnyOfMachine(args[1]))

const TAKES_PARTS = new Set(['concat', 'keys', 'length', 'lookup', 'merge'])

/** Calls a function of the language; undefined if it is none of these, or its value is not known without a run. */
export const callPlain = (name: string, args: readonly Partly[]): Partly => {
  const made = Object.hasOwn(plainFunctions, name) ? plainFunctions[name] : undefined
  if (made === undefined || args.includes(undefined) || !(TAKES_PARTS.has(name) || args.every(isKnown)))
    return undefined
  if (!mayKnow(name, args)) return undefined
  const value = bounded(made(...args))
  if (name === 'basename') return isAnyOfMachine(value) ? undefined : value
  const isLost = (name === 'dirname' || name === 'abspath') && isAnyOfMachine(args[0]) && !isAnyOfMachine(value)
  return isLost ? undefined : value
}

/** `try` and `coalesce`, which do not look at every argument, and `can`, which does not need the one that it has. */
export const callLazily = (name: string, args: readonly (() => Partly)[]): { value: Partly } | undefined => {
  if (name === 'try') {
    for (const arg of args) {
      const found = orAbsent(arg)
      if (found) return found
    }
    throw new Absent('none of the arguments of try has a value')
  }
  const [first] = args
  // what is not absent here may fail all the same
  if (name === 'can' && first !== undefined) return { value: orAbsent(first) === undefined ? false : undefined }
  if (name !== 'coalesce') return undefined
  for (const arg of args) {
    const value = arg()
    if (value !== null && value !== '') return { value }
  }
  throw new Absent('coalesce has no argument that is not empty')
}
