import type { QueueItem } from '#api/queue.ts'
import { getJson, pathOf, postJson, withQuery } from './client.ts'
import type { Page, Part } from './page.ts'

export type { QueueItem }

type State = 'dead' | 'queued' | 'running'

/** Events and jobs that are not done, newest first. For administrators. */
export const readQueue = (state: State, part: Part, signal?: AbortSignal): Promise<Page<QueueItem>> =>
  getJson(withQuery('/v1/queue', { state, ...part }), signal)

/** Queues one that was given up again. */
export const retryItem = (id: number): Promise<QueueItem> => postJson(pathOf('queue', id, 'retry'))
