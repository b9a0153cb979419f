import type { RepoSummary } from '#api/repositories/repository.ts'
import type { StackDetail } from '#api/repositories/stack.ts'
import { getJson, pathOf, withQuery } from './client.ts'
import { type Page, readUpTo } from './page.ts'

export type { RepoSummary, StackDetail }

/** Repositories that have the app, by full name: the first hundred. */
export const readRepositories = (signal?: AbortSignal): Promise<Page<RepoSummary>> =>
  getJson(withQuery(pathOf('repos'), { limit: 100 }), signal)

/** More than these nobody reads in a table. */
const most = 5000

/** Repositories that have the app, by full name. */
export const readAllRepositories = (signal?: AbortSignal): Promise<Page<RepoSummary>> =>
  readUpTo((part) => getJson(withQuery(pathOf('repos'), part), signal), most)

/** The stacks that the default branch of a repository has, by key. `soFar` hears of the first ones of many. */
export const readStacks = (
  owner: string,
  repo: string,
  signal?: AbortSignal,
  soFar?: (begun: Page<StackDetail>) => void,
): Promise<Page<StackDetail>> =>
  readUpTo((part) => getJson(withQuery(pathOf('repos', owner, repo, 'stacks'), part), signal), most, soFar)
