import { asText, bounded, isKnown, isObject, type Partly } from './value.ts'

/** What the language would refuse when it is evaluated: a name that is not there. `try` goes on with its next argument. */
export class Absent extends Error {
  override readonly name = 'Absent'
}

/** What the work gives; undefined if it takes something that is surely not there. */
export const orAbsent = <T>(work: () => T): { value: T } | undefined => {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof Absent) return undefined
    throw error
  }
}

/** A key that marks an object of which not all members are known: one that is not listed may be there. */
const OPEN = '\0open'

/** An object of which only some members are known. */
export const openObject = (members: Readonly<Record<string, Partly>>): Partly =>
  bounded({ ...members, [OPEN]: undefined }) ?? { [OPEN]: undefined }

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
]

/** The operators of each level, those that bind least first. */
export const operatorLevels = LEVELS

/** A member of an object or an item of a list. Throws Absent if it is surely not there. */
export const memberOf = (value: Partly, key: Partly): Partly => {
  if (value === undefined || key === undefined) return undefined
  const name = asText(key)
  if (name === undefined || value === null) throw new Absent('there is nothing to take a member of')
  if (isObject(value)) {
    if (Object.hasOwn(value, name)) return value[name]
    if (OPEN in value) return undefined
    throw new Absent(`there is no member '${name}'`)
  }
  if (!Array.isArray(value)) throw new Absent(`a value has no member '${name}'`)
  const index = Number(name)
  if (!Number.isInteger(index) || index < 0 || index >= value.length) throw new Absent(`there is no item ${name}`)
  return value[index]
}

/** What a loop goes over: the items of a list or an object with their keys; undefined if not all of them are known. */
export const itemsOf = (value: Partly): [key: Partly, item: Partly][] | undefined => {
  if (Array.isArray(value)) return [...value.entries()]
  return isObject(value) && !(OPEN in value) ? Object.entries(value) : undefined
}

const sorted = (value: Partly): unknown =>
  isObject(value)
    ? Object.keys(value)
        .sort()
        .map((name) => [name, sorted(value[name])])
    : Array.isArray(value)
      ? value.map(sorted)
      : value

/** The same text for values that are the same. */
export const canonicalText = (value: Partly): string => JSON.stringify(sorted(value))

/**
 * Whether two values are the same; undefined if a part of either is not known. No file can contain U+0000: a text with it stands for
 * one that differs from machine to machine, and equals only itself.
 */
export const isEqual = (one: Partly, other: Partly): boolean | undefined => {
  if (!isKnown(one) || !isKnown(other)) return undefined
  const [a, b] = [canonicalText(one), canonicalText(other)]
  return a === b ? true : `${a}${b}`.includes('\\u0000') ? undefined : false
}

const boolean = (value: Partly): boolean | undefined =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined

const arithmetic: Readonly<Record<string, (a: number, b: number) => Partly>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? undefined : a / b),
  '%': (a, b) => (b === 0 ? undefined : a % b),
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

/** The truth of a condition: `"true"` counts as true, as in the language. */
export const truth = boolean

/** The value of two operands; undefined if it depends on one that is not known. */
export const operate = (operator: string, left: Partly, right: Partly): Partly => {
  if (operator === '||' || operator === '&&') {
    const [a, b] = [boolean(left), boolean(right)]
    const decisive = operator === '||'
    if (a === decisive || b === decisive) return decisive
    return a === undefined || b === undefined ? undefined : !decisive
  }
  if (operator === '==' || operator === '!=') {
    const same = isEqual(left, right)
    return same === undefined ? undefined : same === (operator === '==')
  }
  const compute = arithmetic[operator]
  return typeof left === 'number' && typeof right === 'number' ? compute?.(left, right) : undefined
}

/** `!` and `-` before a value. */
export const negated = (operator: string, value: Partly): Partly => {
  if (operator === '-') return typeof value === 'number' ? -value : undefined
  const known = boolean(value)
  return known === undefined ? undefined : !known
}
