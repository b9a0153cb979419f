import type { Lock } from '#api/repositories/lock.ts'
import { getJson, withQuery } from './client.ts'
import type { Page } from './page.ts'

export type { Lock }

/** The locks that a pull request holds, and those that it waits for. */
export const readPullLocks = (repo: string, pr: number, signal?: AbortSignal): Promise<Page<Lock>> =>
  getJson(withQuery('/v1/locks', { repo, pr, limit: 500 }), signal)
