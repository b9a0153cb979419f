/*
 * Values of GitHub's expression language and its conversions between them.
 * Source: docs.github.com, 'Evaluate expressions in workflows and actions', sections Literals, Operators and Functions.
 */

/** A value of an expression: JSON, with NaN and the infinities among the numbers. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value }

export type ObjectValue = { readonly [key: string]: Value }

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isObject = (value: Value): value is ObjectValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Falsy: false, 0, -0, '', null, and NaN. Empty arrays and objects are truthy. */
export const isTruthy = (value: Value): boolean => Boolean(value)

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const radix = /^0(x[0-9a-f]+|o[0-7]+)$/i
const infinity = /^[+-]?Infinity$/

/** null and '' are 0, a string is read as a JSON (or hexadecimal, octal) number, everything else is NaN. */
export const toNumber = (value: Value): number => {
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  const text = value.trim()
  if (text === '') return 0
  return decimal.test(text) || radix.test(text) || infinity.test(text) ? Number(text) : Number.NaN
}

/** Fifteen digits at most, exponential from 1E+15 up and below 1E-05: GitHub's runner formats numbers like .NET's G15. */
const numberText = (value: number): string => {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? '0' : String(value)
  const rounded = Number(value.toPrecision(15))
  const size = Math.abs(rounded)
  if (size >= 1e-5 && size < 1e15) return String(rounded)
  return rounded.toExponential().replace(/e([+-])(\d+)$/, (_, sign, digits) => `E${sign}${digits.padStart(2, '0')}`)
}

/** null is ''; arrays and objects do not convert: they become the words 'Array' and 'Object'. */
export const toText = (value: Value): string => {
  if (value === null) return ''
  if (typeof value === 'number') return numberText(value)
  if (isArray(value)) return 'Array'
  return typeof value === 'object' ? 'Object' : String(value)
}

/** Strings compare without case; different types compare as numbers; arrays and objects equal only themselves. */
export const isEqual = (left: Value, right: Value): boolean => {
  if (typeof left === 'string' && typeof right === 'string') return left.toUpperCase() === right.toUpperCase()
  if (typeof left === 'object' && typeof right === 'object') return left === right
  return toNumber(left) === toNumber(right)
}

/** True if left sorts before right; always false with NaN, which arrays and objects become. */
export const isLess = (left: Value, right: Value): boolean =>
  typeof left === 'string' && typeof right === 'string'
    ? left.toUpperCase() < right.toUpperCase()
    : toNumber(left) < toNumber(right)

/** Property or element by name or number: without case on objects, null where there is none. */
export const at = (target: Value, key: Value): Value => {
  if (isArray(target)) {
    const index = toNumber(key)
    return Number.isNaN(index) || index < 0 ? null : (target[Math.floor(index)] ?? null)
  }
  if (!isObject(target) || typeof key === 'object') return null
  const wanted = toText(key)
  if (Object.hasOwn(target, wanted)) return target[wanted] ?? null
  const lower = wanted.toLowerCase()
  const found = Object.keys(target).find((name) => name.toLowerCase() === lower)
  return found === undefined ? null : (target[found] ?? null)
}
