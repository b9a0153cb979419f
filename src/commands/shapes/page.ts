import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { invalid } from '#errors.ts'

/** The part of a list that a caller asks for. */
export type PageRequest = { limit?: number | undefined; cursor?: string | undefined }

export type Page<T> = { items: T[]; next_cursor?: string }

/** Where a page begins: after the item with this key, in the order of the list. Undefined for the first page. */
export const readCursor = <T>(cursor: string | undefined, key: z.ZodType<T>, field = 'cursor'): T | undefined => {
  if (cursor === undefined) return undefined
  const read = key.safeParse(parsed(cursor))
  if (!read.success) throw invalid(field, 'must be the next_cursor of a page of this list')
  return read.data
}

/** Valid only as it was given out, to the character: decoding skips whatever is not base64. */
const parsed = (cursor: string): unknown => {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return cursorOf(key) === cursor ? key : undefined
  } catch {
    return undefined
  }
}

/** Opaque to clients: the key of the page's last item, so items that come or go meanwhile shift nothing. */
export const cursorOf = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url')

export const limitOf = ({ limit = limits.pageSize }: PageRequest): number => limit

/** Makes the page from rows, one more than the limit if there are as many: the extra row shows that there is a next page. */
export const pageOf = <R, T>(
  rows: readonly R[],
  limit: number,
  { keyOf, shape }: { keyOf: (row: R) => unknown; shape: (row: R) => T },
): Page<T> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items: shown.map(shape), ...(more ? { next_cursor: cursorOf(keyOf(last)) } : {}) }
}

/**
 * The page with the filters that it went by, as they were understood: an older version of the service ignores a filter that it
 * does not know, and answers everything.
 */
export const withFilters = <P extends object>(
  page: P,
  { limit: _, cursor: __, ...asked }: PageRequest & Record<string, unknown>,
): P & { filters?: Record<string, string> } => {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  const filters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? page : { ...page, filters }
}

/**
 * A moment in a cursor, to the microsecond at most: Postgres does not read a hundred digits of a second, and knows no year 0.
 */
export const CursorTime = z.iso
  .datetime()
  .max('2026-01-01T00:00:00.000000Z'.length)
  .refine((time) => !time.startsWith('0000'))

/** A name in a cursor: text in Postgres cannot hold U+0000. */
export const CursorText = z.string().refine((text) => !text.includes('\0'))

/** A cursor's list comes first in its key: a place in one list is invalid in another, however alike they look. */
export const momentKey = (list: string) =>
  z.tuple([z.literal(list), CursorTime, z.guid()]).transform(([, at, id]) => ({ at, id }))
