import { Overview } from '#api/overview.ts'
import type { Deps } from '#commands/deps.ts'
import { readOverview } from '#commands/read-overview.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** GET /v1/overview. */
export const addOverviewRoute = (app: App, deps: Deps): void => {
  app.get(
    '/v1/overview',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['repositories'],
        summary: 'How everything that the caller sees stands',
        response: { 200: Overview, ...errorBodies() },
      },
    },
    async (request, reply) => reply.send(await readOverview(deps, readerOf(request))),
  )
}
