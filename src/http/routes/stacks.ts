import { z } from 'zod'
import { PageQuery, pageOf } from '#api/page.ts'
import { Uuid } from '#api/scalars.ts'
import { DriftCheck, RunStackRef, StackDetail } from '#api/stack.ts'
import type { Deps } from '#commands/deps.ts'
import { listStackDrift, listStackRuns, readStack } from '#commands/read-stack.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const config = { callers: ['person', 'key'] } as const

const HistoryPage = pageOf(RunStackRef).meta({ id: 'StackRunPage', description: 'Runs of a stack, newest first' })

const DriftPage = pageOf(DriftCheck).meta({
  id: 'StackDriftPage',
  description: 'Checks of a stack for drift, newest first',
})

/** GET /v1/stacks/{id}, its runs and its checks for drift. */
export const addStackRoutes = (app: App, deps: Deps): void => {
  const tags = ['stacks']
  const params = z.object({ id: Uuid })

  app.get(
    '/v1/stacks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'A stack as it stands, also one that the default branch has no more',
        params,
        response: { 200: StackDetail, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const stack = await readStack(deps, readerOf(request), request.params.id)
      return reply.send(stack as z.infer<typeof StackDetail>)
    },
  )

  app.get(
    '/v1/stacks/:id/runs',
    {
      config,
      schema: {
        tags,
        summary: 'What runs did with a stack',
        params,
        querystring: PageQuery,
        response: { 200: HistoryPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await listStackRuns(deps, readerOf(request), request.params.id, request.query)
      return reply.send(page as z.infer<typeof HistoryPage>)
    },
  )

  app.get(
    '/v1/stacks/:id/drift',
    {
      config,
      schema: {
        tags,
        summary: 'What checks for drift found of a stack',
        params,
        querystring: PageQuery,
        response: { 200: DriftPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await listStackDrift(deps, readerOf(request), request.params.id, request.query)
      return reply.send(page as z.infer<typeof DriftPage>)
    },
  )
}
