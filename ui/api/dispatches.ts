import type { Dispatch } from '#api/runs/dispatch.ts'
import { getJson, pathOf, withQuery } from './client.ts'
import type { Page } from './page.ts'

export type { Dispatch }

/** What was sent out for a run, by wave and part; a run has more than 200 only if it has 50,000 stacks. */
export const readDispatches = async (run: string, signal?: AbortSignal): Promise<Dispatch[]> =>
  (await getJson<Page<Dispatch>>(withQuery(pathOf('runs', run, 'dispatches'), { limit: 200 }), signal)).items
