import { COLON, COMMA, cursorOf, EQUALS, NEWLINE } from './cursor.ts'
import { HclError } from './hcl-error.ts'
import { skipHeredoc } from './heredoc.ts'
import { skipExpression, skipInterpolation, skipQuoted, stop } from './skip.ts'
import { type Part, splitHeredoc, splitTemplate } from './template.ts'
import { skipTrivia } from './trivia.ts'

/** A value that is known through and through. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

/** A value as far as it is known: what is not is undefined, at any level. */
export type Partly =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Partly[]
  | { readonly [name: string]: Partly }

/** What a name stands for (`var.region` asks for `var`, `region`); undefined when it cannot be known before a run. */
export type Scope = (root: string, name: string) => Partly

const NUMBER = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const NAME = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u
const TRAVERSAL = /^([\p{ID_Start}_][\p{ID_Continue}-]*)\.([\p{ID_Start}_][\p{ID_Continue}-]*)/u
const STEP = /^\s*(?:\.\s*([\p{ID_Start}_][\p{ID_Continue}-]*|\d+)|\[\s*(?:"([^"\\$%]*)"|(\d+))\s*\])/u
const FOR = /^[[{]\s*for\s+[\p{ID_Continue}-]+\s*(?:,|\s+in\b)/u
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

const isRecord = (value: Partly): value is { readonly [name: string]: Partly } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As the language writes a value into a string; undefined for what is not known, or not written the same everywhere. */
const asText = (value: Partly): string | undefined => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && PLAIN_NUMBER.test(String(value)) ? String(value) : undefined
}

const joinParts = (parts: Part[] | undefined, scope: Scope): Partly => {
  const [first, ...rest] = parts ?? []
  if (parts === undefined) return undefined
  if (first === undefined) return ''
  if (rest.length === 0) return 'text' in first ? first.text : evaluate(first.expression, scope)
  let joined = ''
  for (const part of parts) {
    const text = 'text' in part ? part.text : asText(evaluate(part.expression, scope))
    if (text === undefined) return undefined
    joined += text
  }
  return joined
}

const step = (value: Partly, name: string): Partly => {
  if (isRecord(value)) return Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(value) ? value[Number(name)] : undefined
}

const traverse = (text: string, scope: Scope): Partly => {
  const start = TRAVERSAL.exec(text)
  if (start === null) return undefined
  let value = scope(start[1] ?? '', start[2] ?? '')
  let rest = text.slice(start[0].length)
  while (rest !== '' && value !== undefined) {
    const next = STEP.exec(rest)
    if (next === null) return undefined
    value = step(value, next[1] ?? next[2] ?? next[3] ?? '')
    rest = rest.slice(next[0].length)
  }
  return value
}

/** Takes the inside of brackets apart at what separates its items; undefined when something else stands between them. */
const splitItems = (inside: string): string[] | undefined => {
  const cursor = cursorOf(inside)
  const items: string[] = []
  for (;;) {
    skipTrivia(cursor, true)
    if (cursor.at >= inside.length) return items
    const start = cursor.at
    skipExpression(cursor, stop.comma | stop.closer)
    items.push(inside.slice(start, cursor.at))
    if (cursor.at >= inside.length) return items
    if (inside.charCodeAt(cursor.at) !== COMMA) return undefined
    cursor.at += 1
  }
}

type Entry = { key: string; value: string }

const splitEntries = (inside: string): Entry[] | undefined => {
  const cursor = cursorOf(inside)
  const entries: Entry[] = []
  for (;;) {
    skipTrivia(cursor, true)
    if (cursor.at >= inside.length) return entries
    const start = cursor.at
    skipExpression(cursor, stop.assign | stop.newline | stop.comma | stop.closer)
    const mark = inside.charCodeAt(cursor.at)
    if (mark !== EQUALS && mark !== COLON) return undefined
    const key = inside.slice(start, cursor.at).trim()
    cursor.at += 1
    const from = cursor.at
    skipExpression(cursor, stop.newline | stop.comma | stop.closer)
    entries.push({ key, value: inside.slice(from, cursor.at) })
    skipTrivia(cursor, false)
    const end = inside.charCodeAt(cursor.at)
    if (end === COMMA || end === NEWLINE) cursor.at += 1
    else if (cursor.at < inside.length) return undefined
  }
}

/** A value without the comment that may stand behind it. */
const uncommented = (text: string): string => {
  const end = text.search(/\s|#|\/[/*]/)
  if (end <= 0) return text
  const cursor = cursorOf(text)
  cursor.at = end
  skipTrivia(cursor, true)
  return cursor.at === text.length ? text.slice(0, end) : text
}

/** A bare word is a key by itself, `true` and `null` too; anything else is an expression. */
const keyOf = (key: string, scope: Scope): string | undefined => {
  const word = uncommented(key)
  return NAME.test(word) ? word : asText(evaluate(key, scope))
}

const readObject = (inside: string, scope: Scope): Partly => {
  const entries = splitEntries(inside)
  if (entries === undefined) return undefined
  const object: Record<string, Partly> = Object.create(null)
  for (const entry of entries) {
    const key = keyOf(entry.key, scope)
    if (key === undefined) return undefined
    object[key] = evaluate(entry.value, scope)
  }
  return object
}

/** The quote or bracket that an expression opens with, up to where it closes; undefined when more than a comment follows. */
const enclosed = (text: string): string | undefined => {
  const cursor = cursorOf(text)
  if (text.startsWith('"')) skipQuoted(cursor)
  else {
    cursor.at = 1
    skipExpression(cursor, stop.inside)
    cursor.at += 1
  }
  const inside = text.slice(1, cursor.at - 1)
  skipTrivia(cursor, true)
  return cursor.at === text.length ? inside : undefined
}

const readEnclosed = (text: string, scope: Scope): Partly => {
  const inside = FOR.test(text) ? undefined : enclosed(text)
  if (inside === undefined) return undefined
  if (text.startsWith('"')) return joinParts(splitTemplate(inside, true), scope)
  if (text.startsWith('(')) return evaluate(inside, scope)
  return text.startsWith('{') ? readObject(inside, scope) : splitItems(inside)?.map((item) => evaluate(item, scope))
}

const readHeredoc = (text: string, scope: Scope): Partly => {
  const cursor = cursorOf(`${text}\n`)
  const isWhole = skipHeredoc(cursor, skipInterpolation) && cursor.at === text.length
  return isWhole ? joinParts(splitHeredoc(text), scope) : undefined
}

const readValue = (text: string, scope: Scope): Partly => {
  if (/^["[{(]/.test(text)) return readEnclosed(text, scope)
  if (text.startsWith('<<')) return readHeredoc(text, scope)
  const value = uncommented(text)
  if (NUMBER.test(value)) return Number(value)
  if (value.startsWith('-')) {
    const size = evaluate(value.slice(1), noNames)
    return typeof size === 'number' ? -size : undefined
  }
  if (value === 'true' || value === 'false') return value === 'true'
  return value === 'null' ? null : traverse(value, scope)
}

const bare = (expression: string): string => {
  const cursor = cursorOf(expression)
  skipTrivia(cursor, true)
  return expression.slice(cursor.at).trimEnd()
}

/**
 * The value of an expression as far as literals, plain templates and the names that `scope` knows go. Functions, operators,
 * conditions and loops are not worked out: a value that could be wrong is worse than none.
 */
export const evaluate = (expression: string, scope: Scope): Partly => {
  try {
    return readValue(bare(expression), scope)
  } catch (error) {
    if (error instanceof HclError) return undefined
    throw error
  }
}

const isKnown = (value: Partly): value is Value => {
  if (value === undefined) return false
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isKnown)
}

/** A scope in which no name is known. */
export const noNames: Scope = () => undefined

/** The value of an expression that is known through and through without any name; else undefined. */
export const literal = (expression: string): Value | undefined => {
  const value = evaluate(expression, noNames)
  return isKnown(value) ? value : undefined
}

export const textOf = (expression: string | undefined, scope: Scope): string | undefined =>
  expression === undefined ? undefined : asText(evaluate(expression, scope))
