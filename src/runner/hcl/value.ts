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

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/

/** A value as the language writes it into a string; undefined if it is unknown, or not written the same everywhere. */
export const asText = (value: Partly): string | undefined => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && PLAIN_NUMBER.test(String(value)) ? String(value) : undefined
}

export const isKnown = (value: Partly): value is Value => {
  if (value === undefined) return false
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isKnown)
}
