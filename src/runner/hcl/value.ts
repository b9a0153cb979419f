/** A value that is fully known. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

/** A value as far as it is known: unknown parts are undefined, at any level. */
export type Partly =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Partly[]
  | { readonly [name: string]: Partly }

/** Whether a value is an object, or a map, of the language. */
export const isObject = (value: Partly): value is { readonly [name: string]: Partly } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

/** A value as the language writes it into a string; undefined if it is unknown, or not written the same everywhere. */
export const asText = (value: Partly): string | undefined => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && PLAIN_NUMBER.test(String(value)) ? String(value) : undefined
}

/**
 * Characters and parts that a value may have. What names a place is short; and a value that takes another twice, which takes another
 * twice, is as large as one likes.
 */
export const MOST_SIZE = 256 * 1024

/** Lists and objects in each other. */
const MOST_LEVELS = 100

type Extent = { size: number; levels: number }

const tooLarge: Extent = { size: Number.POSITIVE_INFINITY, levels: Number.POSITIVE_INFINITY }

/** Of values that others are made of, so that each is measured once. */
const extents = new WeakMap<object, Extent>()

const extentOf = (value: Partly, left = MOST_LEVELS): Extent => {
  if (typeof value === 'string') return { size: value.length + 1, levels: 0 }
  if (typeof value !== 'object' || value === null) return { size: 1, levels: 0 }
  const before = extents.get(value)
  if (before !== undefined) return before
  const extent = { size: 1, levels: 1 }
  for (const [name, inner] of left === 0 ? [] : Object.entries(value)) {
    const below = extentOf(inner, left - 1)
    extent.size += name.length + below.size
    extent.levels = Math.max(extent.levels, below.levels + 1)
    if (extent.size > MOST_SIZE) break
  }
  const made = left === 0 || extent.size > MOST_SIZE || extent.levels > MOST_LEVELS ? tooLarge : extent
  extents.set(value, made)
  return made
}

/** Characters and parts of a value, those that it has twice counted twice; infinite for one that is too large. */
export const sizeOf = (value: Partly): number => extentOf(value).size

const isComposite = (value: Partly): boolean => typeof value === 'object' && value !== null

/**
 * The value, unless it is too large: then it is not known. Only what holds other lists or objects grows beyond its own text, and to
 * measure all others as well costs a scan of plain files 4 %.
 */
export const bounded = (value: Partly): Partly => {
  if (typeof value !== 'object' || value === null || !Object.values(value).some(isComposite)) return value
  return sizeOf(value) > MOST_SIZE ? undefined : value
}

export const isKnown = (value: Partly): value is Value => {
  if (value === undefined) return false
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isKnown)
}
