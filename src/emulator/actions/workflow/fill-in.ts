import type { Scope } from '../expressions/evaluate.ts'
import { fill, fillText } from '../expressions/template.ts'
import { toNumber, toText, type Value } from '../expressions/value.ts'

/** Replaces expressions in every string of a nested value, as in a matrix written out in the file. */
export const fillDeep = (value: unknown, scope: Scope): Value => {
  if (typeof value === 'string') return fill(value, scope)
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, scope))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillDeep(item, scope)]))
  return value as Value
}

/** A map of texts such as `env`, `with` and `outputs`. */
export const fillTexts = (texts: Readonly<Record<string, string>>, scope: Scope): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fillText(text, scope)]))

/** A flag such as `fail-fast` and `continue-on-error`; throws if an expression does not yield a boolean. */
export const fillFlag = (field: string, value: boolean | string, scope: Scope): boolean => {
  const filled = typeof value === 'string' ? fill(value, scope) : value
  if (typeof filled === 'boolean') return filled
  throw new Error(`${field} must be true or false, not '${toText(filled)}' (fromJSON() makes a boolean of a text)`)
}

/** A number such as `timeout-minutes` and `max-parallel`; throws if an expression does not yield one above 0. */
export const fillNumber = (field: string, value: number | string, scope: Scope): number => {
  const number = toNumber(typeof value === 'string' ? fill(value, scope) : value)
  if (number > 0) return number
  throw new Error(`${field} must be a number above 0`)
}
