import { z } from 'zod'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { QueueItem, QueueState } from '#api/queue.ts'
import type { Deps } from '#commands/deps.ts'
import { listQueue } from '#commands/reads/list-queue.ts'
import { retryJob } from '#commands/reads/retry-job.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const QueuePage = pageOf(QueueItem).meta({ id: 'QueuePage', description: 'Events and jobs, newest first' })

const JobId = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, 'must be the number of an event or a job')
  .transform(Number)

/** GET /v1/queue and POST /v1/queue/{id}/retry. */
export const addQueueRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/v1/queue',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['queue'],
        summary: 'Events and jobs that were given up, that wait, or that are under way',
        querystring: PageQuery.extend({ state: optional(QueueState).describe('dead if absent') }),
        response: { 200: QueuePage, ...errorBodies(400, 403) },
      },
    },
    async (request, reply) => {
      const asked = { ...request.query, state: request.query.state ?? 'dead' }
      return reply.send(withFilters(await listQueue(deps, readerOf(request), asked), asked))
    },
  )

  app.post(
    '/v1/queue/:id/retry',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['queue'],
        summary: 'Try a dead event or job again',
        params: z.object({ id: JobId }),
        response: { 200: QueueItem, ...errorBodies(400, 403, 404, 409, 413) },
      },
    },
    async (request, reply) => reply.send(await retryJob(deps, readerOf(request), request.params.id)),
  )
}
