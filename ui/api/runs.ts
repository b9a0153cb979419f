import type { CreateRunResponse } from '#api/runs/create-run.ts'
import { getJson, getText, pathOf, postJson, withQuery } from './client.ts'
import type { Page, Part } from './page.ts'
import type { Run, RunRow } from './run-types.ts'

export type { Run }

/** A run with its rows, without their texts; only with those rows that changed after `since`, where that is given. */
export const readRun = (id: string, since?: number, signal?: AbortSignal): Promise<Run> =>
  getJson(withQuery(pathOf('runs', id), { text: 'none', since }), signal)

/** One row whole: with its texts, and who waits for its lock. */
export const readRunStack = (id: string, key: string, signal?: AbortSignal): Promise<RunRow> =>
  getJson(pathOf('runs', id, 'stacks', key), signal)

/** The whole plan text of a stack, wherever it is kept. Where it is not, the problem says why, and since when. */
export const readRunText = (id: string, key: string, signal?: AbortSignal): Promise<string> =>
  getText(pathOf('runs', id, 'stacks', key, 'text'), signal)

/** The runs of a pull request, newest first. */
export const readPullRuns = (repo: RepoPath, pr: number, signal?: AbortSignal): Promise<Page<Run>> =>
  getJson(withQuery(pathOf('repos', repo.owner, repo.repo, 'runs'), { pr, limit: 100 }), signal)

/** Which runs, in the words of the API. */
export type RunFilter = {
  repo?: string | undefined
  status?: Run['status'][] | undefined
  /** Those that are not over. */
  open?: 'true' | undefined
  mode?: Run['mode'] | undefined
  /** With `repo` alone. */
  pr?: number | undefined
  actor?: string | undefined
}

/** Runs of all repositories that one sees, newest first. */
export const readRuns = ({ status, ...filter }: RunFilter, part: Part, signal?: AbortSignal): Promise<Page<Run>> =>
  getJson(withQuery('/v1/runs', { ...filter, status: status?.join(), ...part }), signal)

/** Enough to see what the day was like. */
const lately = 20

/** The newest plans and applies: nightly checks for drift would leave no room for them. */
export const readNewestChanges = (signal?: AbortSignal): Promise<Page<Run>> =>
  getJson(withQuery('/v1/runs', { mode: 'plan,apply', limit: lately }), signal)

type RepoPath = { owner: string; repo: string }

/** Plans every stack of a plan run again, in a new run. */
export const rerun = (id: string): Promise<CreateRunResponse> => postJson(pathOf('runs', id, 'rerun'))
