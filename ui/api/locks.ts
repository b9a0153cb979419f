import type { Lock } from '#api/repositories/lock.ts'
import { getJson, withQuery } from './client.ts'
import { type Page, readUpTo } from './page.ts'

export type { Lock }

/** The locks that a pull request holds, and those that it waits for. */
export const readPullLocks = (repo: string, pr: number, signal?: AbortSignal): Promise<Page<Lock>> =>
  getJson(withQuery('/v1/locks', { repo, pr, limit: 500 }), signal)

/** The few that are held longest. */
export const readOldestLocks = (signal?: AbortSignal): Promise<Page<Lock>> =>
  getJson(withQuery('/v1/locks', { limit: 5 }), signal)

/** From so many on only the longest held are read. */
const most = 2000

/** Of one repository, or of all that one sees; `q` is in the key of the stack. */
export type LocksAsked = { repo?: string | undefined; q?: string | undefined }

/**
 * Held locks, the longest held first, as they are asked for. Where there are more than are read, the orphaned ones
 * among the others come too: they wait for a person. Such an answer has a `next_cursor`.
 */
export const readLocks = async (asked: LocksAsked, signal?: AbortSignal): Promise<Page<Lock>> => {
  const read = (filter: { state?: Lock['state'] }): Promise<Page<Lock>> =>
    readUpTo((part) => getJson(withQuery('/v1/locks', { ...asked, ...filter, ...part }), signal), most)
  const held = await read({})
  if (held.next_cursor === undefined) return held
  const known = new Set(held.items.map(({ stack_id: id }) => id))
  const orphaned = await read({ state: 'held.orphaned' })
  return { ...held, items: [...held.items, ...orphaned.items.filter(({ stack_id: id }) => !known.has(id))] }
}
