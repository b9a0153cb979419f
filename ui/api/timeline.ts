import type { TimelineEntry, TimelinePage } from '#api/runs/timeline.ts'
import { getJson, pathOf, withQuery } from './client.ts'

export type { TimelineEntry }

/** What happened to a run, oldest first, behind a place that an earlier answer named. */
export const readTimeline = (run: string, after: string | undefined, signal?: AbortSignal): Promise<TimelinePage> =>
  getJson(withQuery(pathOf('runs', run, 'timeline'), { after, limit: 200 }), signal)
