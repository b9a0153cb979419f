import { Overview } from '#api/overview.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { readOverview } from '#commands/reads/read-overview.ts'
import type { App } from '../app.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'

/** GET /v1/overview. */
export const addOverviewRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/overview',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['repositories'],
        summary: 'Totals and recent runs of all that the caller sees',
        response: { 200: Overview, ...errorBodies() },
      },
    },
    async (request, reply) => reply.send(await reading(deps, request, readOverview)),
  )
}
