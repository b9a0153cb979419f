import type { SearchResult } from '#api/search.ts'
import { getJson, withQuery } from './client.ts'

export type { SearchResult }

/** What has all words of a text in its name: up to eight of each kind. */
export const readSearch = (q: string, signal?: AbortSignal): Promise<SearchResult> =>
  getJson(withQuery('/v1/search', { q }), signal)
