import { z } from 'zod'
import { TimelinePage, TimelineQuery } from '#api/runs/timeline.ts'
import { Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { readTimeline } from '#commands/reads/run/read-timeline.ts'
import type { App } from '#http/app.ts'
import { readerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'

/** GET /v1/runs/{id}/timeline. */
export const addTimelineRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/runs/:id/timeline',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'What happened to a run, its stacks, its dispatches and its locks, oldest first',
        params: z.object({ id: Uuid }),
        querystring: TimelineQuery,
        response: { 200: TimelinePage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => reply.send(await readTimeline(deps, readerOf(request), request.params.id, request.query)),
  )
}
