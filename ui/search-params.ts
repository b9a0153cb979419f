/*
 * Search parameters as a page reads them: each function takes anything, answers what it means, and undefined for nonsense. What comes
 * from an address is text; what a link is made from has its type already.
 */

export type Raw = Record<string, unknown>

/** Any text that is not empty, cut where no address is meant to be that long. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 1000) : undefined

export const oneOf = <T extends string>(value: unknown, all: readonly T[]): T | undefined =>
  all.find((one) => one === value)

/** Those of a list that are known, in the order of the list of all: `failed,unknown`. Undefined for none. */
export const manyOf = <T extends string>(value: unknown, all: readonly T[]): T[] | undefined => {
  const asked: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  const known = all.filter((one) => asked.includes(one))
  return known.length === 0 ? undefined : known
}

/** A whole number: of a pull request from 1 up, of a journal entry from 0. */
export const numberOf = (value: unknown, least = 1): number | undefined => {
  const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** A day: `2026-11-23`. */
export const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** As long as the service takes a path (src/http/next-path.ts). */
const longestNext = 2000

/** A path on this service to go on to, whole or not at all: a part of one leads elsewhere. The service itself looks again. */
export const nextOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= longestNext && /^\/(?![/\\])/.test(value) ? value : undefined

/** As `?status=failed,unknown&q=vpc`: texts as they are, without the quotes and brackets of JSON. */
export const parseSearch = (search: string): Raw => Object.fromEntries(new URLSearchParams(search))

/** What `parseSearch` reads. What has no value is left out, and what an address may hold stays readable. */
export const stringifySearch = (search: Raw): string => {
  const given = Object.entries(search).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : value
    if (text === undefined || text === null || text === '') return []
    return [`${encodeURIComponent(name)}=${readable(encodeURIComponent(String(text)))}`]
  })
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const readable = (encoded: string): string =>
  encoded.replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%20', '+')
