import type { Lock } from '#api/repositories/lock.ts'
import type { DriftCheck, RunStackRef, StackDetail } from '#api/repositories/stack.ts'
import type { UnlockResponse } from '#api/repositories/unlock.ts'
import type { StackStatus } from '#api/runs/run-stack.ts'
import { getJson, pathOf, postJson, withQuery } from './client.ts'
import { type Page, type Part, readUpTo } from './page.ts'

export type { DriftCheck, Lock, RunStackRef, StackDetail }

/** As many as a picture shows. */
const pictured = 60

export const readStack = (id: string, signal?: AbortSignal): Promise<StackDetail> =>
  getJson(pathOf('stacks', id), signal)

/** What the newest runs did with a stack, newest first. */
export const readStackRuns = (id: string, signal?: AbortSignal): Promise<Page<RunStackRef>> =>
  getJson(withQuery(pathOf('stacks', id, 'runs'), { mode: 'plan,apply', limit: pictured }), signal)

/** What the newest checks for drift found, newest first. */
export const readStackDrift = (id: string, signal?: AbortSignal): Promise<Page<DriftCheck>> =>
  getJson(withQuery(pathOf('stacks', id, 'drift'), { limit: pictured }), signal)

/** Which stacks, in the words of the API. */
export type StackFilter = {
  repo?: string | undefined
  q?: string | undefined
  environment?: string | undefined
  tag?: string | undefined
  status?: StackStatus[] | undefined
  apply?: StackStatus[] | undefined
  drifted?: 'true' | undefined
  locked?: 'true' | undefined
  behind?: 'true' | undefined
}

/** Stacks of all repositories that one sees, by repository and key. */
export const readStacksBy = (
  { status, apply, ...filter }: StackFilter,
  part: Part,
  signal?: AbortSignal,
): Promise<Page<StackDetail>> =>
  getJson(withQuery(pathOf('stacks'), { ...filter, status: status?.join(), apply: apply?.join(), ...part }), signal)

/** More than these nobody compares on a page. */
const compared = 1000

type DriftFilter = Pick<StackFilter, 'repo' | 'q'>

/** Stacks that drifted by their newest checks, of one repository or of all that one sees, by repository and key. */
export const readDrifted = (filter: DriftFilter, signal?: AbortSignal): Promise<Page<StackDetail>> =>
  readUpTo((part) => getJson(withQuery(pathOf('stacks'), { drifted: 'true', ...filter, ...part }), signal), compared)

/** The first of them: where there are more, there is a `next_cursor`. */
export const readSomeDrifted = (signal?: AbortSignal): Promise<Page<StackDetail>> =>
  getJson(withQuery(pathOf('stacks'), { drifted: 'true', limit: 100 }), signal)

/** The lock of a stack with who waits for it, if it is held. */
export const readStackLock = async (id: string, signal?: AbortSignal): Promise<Lock | null> => {
  const { items } = await getJson<Page<Lock>>(withQuery(pathOf('locks'), { stack: id }), signal)
  return items[0] ?? null
}

type Release = { reason: string; force_state?: boolean; run_id?: string | undefined }

/** Releases the lock of a stack. A run that is named has to hold it still: `conflict` says who does. */
export const releaseLock = (stackId: string, release: Release): Promise<UnlockResponse> =>
  postJson(pathOf('stacks', stackId, 'unlock'), release)
