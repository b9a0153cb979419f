import { z } from 'zod'
import { PageQuery, pageOf } from '#api/page.ts'
import { DriftCheck, RunStackRef, StackDetail } from '#api/repositories/stack.ts'
import { Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { listStackDrift, listStackRuns, readStack } from '#commands/reads/read-stack.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const config = { callers: ['person', 'key'] } as const

const HistoryPage = pageOf(RunStackRef).meta({ id: 'StackRunPage', description: 'Runs of a stack, newest first' })

const DriftPage = pageOf(DriftCheck).meta({
  id: 'StackDriftPage',
  description: 'Drift checks of a stack, newest first',
})

/** GET /v1/stacks/{id}, its runs and its drift checks. */
export const addStackRoutes = (app: App, deps: Deps): void => {
  const tags = ['stacks']
  const params = z.object({ id: Uuid })

  app.get(
    '/v1/stacks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'A stack as it is now, even if the default branch no longer has it',
        params,
        response: { 200: StackDetail, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const stack = await readStack(deps, readerOf(request), request.params.id)
      return reply.send(stack)
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
      return reply.send(page)
    },
  )

  app.get(
    '/v1/stacks/:id/drift',
    {
      config,
      schema: {
        tags,
        summary: 'What drift checks found of a stack',
        params,
        querystring: PageQuery,
        response: { 200: DriftPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await listStackDrift(deps, readerOf(request), request.params.id, request.query)
      return reply.send(page)
    },
  )
}
