import { z } from 'zod'
import { PageQuery } from '#api/page.ts'
import { DispatchPage } from '#api/runs/dispatch.ts'
import { Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listDispatches } from '#commands/reads/run/list-dispatches.ts'
import type { App } from '#http/app.ts'
import { readerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'

/** GET /v1/runs/{id}/dispatches. */
export const addDispatchesRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/runs/:id/dispatches',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'What was sent out for a run: its workflow runs, by wave and part, and their deadlines',
        params: z.object({ id: Uuid }),
        querystring: PageQuery,
        response: { 200: DispatchPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) =>
      reply.send(await listDispatches(deps, readerOf(request), request.params.id, request.query)),
  )
}
