import type { RepoSummary } from '#api/repositories/repository.ts'
import { getJson, pathOf, withQuery } from './client.ts'
import type { Page } from './page.ts'

export type { RepoSummary }

/** Repositories that have the app, by full name: the first hundred. */
export const readRepositories = (signal?: AbortSignal): Promise<Page<RepoSummary>> =>
  getJson(withQuery(pathOf('repos'), { limit: 100 }), signal)
