import { composed } from './composed.ts'
import { cursorOf } from './cursor.ts'
import { oneDeeper } from './deeper.ts'
import { HclError } from './hcl-error.ts'
import { skipHeredoc } from './heredoc.ts'
import { skipInterpolation } from './skip.ts'
import { bare, enclosed, splitEntries, splitItems, uncommented } from './split.ts'
import { type Part, splitHeredoc, splitTemplate } from './template.ts'
import { noNames, type Scope, traverse } from './traverse.ts'
import { asText, bounded, isKnown, MOST_SIZE, type Partly, type Value } from './value.ts'

const NUMBER = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MOST_DIGITS = 15
/** Most strings have nothing in them that is to be read: a first scan takes a twelfth less time for taking them as they are. */
const PLAIN_STRING = /^\s*"([^"\\$%\r\n]*)"\s*$/
const NAME = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u
const FOR = /^[[{]\s*for\s+[\p{ID_Continue}-]+(?:\s*,|\s+in\b)/u

/** Strings of the language are in Unicode's composed form, however a file writes them. */
const joinParts = (parts: Part[] | undefined, scope: Scope): Partly => {
  const [first, ...rest] = parts ?? []
  if (parts === undefined) return undefined
  if (first === undefined) return ''
  if (rest.length === 0) return 'text' in first ? composed(first.text) : evaluate(first.expression, scope)
  let joined = ''
  for (const part of parts) {
    const text = 'text' in part ? part.text : asText(evaluate(part.expression, scope))
    if (text === undefined || joined.length + text.length > MOST_SIZE) return undefined
    joined += text
  }
  return composed(joined)
}

/** A bare word is a key by itself, `true` and `null` too; anything else is an expression. */
const keyOf = (key: string, scope: Scope): string | undefined => {
  const word = uncommented(key)
  return NAME.test(word) ? composed(word) : asText(evaluate(key, scope))
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
  return bounded(object)
}

const readEnclosed = (text: string, scope: Scope): Partly => {
  const inside = FOR.test(text) ? undefined : enclosed(text)
  if (inside === undefined) return undefined
  if (text.startsWith('"')) return joinParts(splitTemplate(inside, true), scope)
  if (text.startsWith('(')) return evaluate(inside, scope)
  return text.startsWith('{')
    ? readObject(inside, scope)
    : bounded(splitItems(inside)?.map((item) => evaluate(item, scope)))
}

const readHeredoc = (text: string, scope: Scope): Partly => {
  const cursor = cursorOf(`${text}\n`)
  const isWhole = skipHeredoc(cursor, skipInterpolation) && cursor.at === text.length
  return isWhole ? joinParts(splitHeredoc(text), scope) : undefined
}

/** A number of more digits than a double surely holds is not known: printed into a text it could differ in the last ones. */
const numberOf = (digits: string): number | undefined =>
  digits.replaceAll(/\D/g, '').length > MOST_DIGITS ? undefined : Number(digits)

const readValue = (text: string, scope: Scope): Partly => {
  if (/^["[{(]/.test(text)) return readEnclosed(text, scope)
  if (text.startsWith('<<')) return readHeredoc(text, scope)
  const value = uncommented(text)
  if (NUMBER.test(value)) return numberOf(value)
  if (value.startsWith('-')) {
    const rest = bare(value.slice(1))
    // a thousand signs would be a thousand calls
    const size = rest.startsWith('-') ? undefined : evaluate(rest, noNames)
    return typeof size === 'number' ? -size : undefined
  }
  if (value === 'true' || value === 'false') return value === 'true'
  return value === 'null' ? null : traverse(value, scope)
}

/**
 * The value of an expression, as far as literals, plain templates and the names in `scope` determine it. Functions, operators,
 * conditions and loops are not evaluated: a value that could be wrong is worse than none.
 */
export const evaluate = (expression: string, scope: Scope): Partly => {
  const plain = PLAIN_STRING.exec(expression)?.[1]
  if (plain !== undefined) return composed(plain)
  try {
    return oneDeeper(() => readValue(bare(expression), scope))
  } catch (error) {
    if (error instanceof HclError) return undefined
    throw error
  }
}

/** The value of an expression that is fully known without any name; otherwise undefined. */
export const literal = (expression: string): Value | undefined => {
  const value = evaluate(expression, noNames)
  return isKnown(value) ? value : undefined
}

/** The text that an expression's value begins with, as far as it is known, and whether that is all of it. */
export const beginningOf = (expression: string, scope: Scope): { text: string; isWhole: boolean } | undefined => {
  const whole = textOf(expression, scope)
  if (whole !== undefined) return { text: whole, isWhole: true }
  try {
    const text = bare(expression)
    const inside = text.startsWith('"') ? enclosed(text) : undefined
    let known = ''
    for (const part of (inside === undefined ? undefined : splitTemplate(inside, true)) ?? []) {
      const next = 'text' in part ? part.text : asText(evaluate(part.expression, scope))
      if (next === undefined) break
      known += next
    }
    return known === '' ? undefined : { text: known, isWhole: false }
  } catch (error) {
    if (error instanceof HclError) return undefined
    throw error
  }
}

export const textOf = (expression: string | undefined, scope: Scope): string | undefined =>
  expression === undefined ? undefined : asText(evaluate(expression, scope))
