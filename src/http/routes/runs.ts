import { z } from 'zod'
import { CreateRunRequest, CreateRunResponse } from '#api/create-run.ts'
import { Run } from '#api/run.ts'
import { Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { openRun } from '#commands/open-run.ts'
import { readRun } from '#commands/read-run.ts'
import type { App } from '../app.ts'
import { anyCallerOf, callerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** POST /v1/runs and GET /v1/runs/{id}. */
export const addRunRoutes = (app: App, deps: Deps): void => {
  app.post(
    '/v1/runs',
    {
      config: { callers: ['runner', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'Find or create the run that a job belongs to, or start a manual run',
        body: CreateRunRequest,
        response: { 200: CreateRunResponse, 201: CreateRunResponse, ...errorBodies(400, 403, 404, 409, 413, 423) },
      },
    },
    async (request, reply) => {
      const { run, existing } = await openRun(deps, callerOf(request), request.body, request.id)
      const body = { run_id: run.id, status: run.status, existing, run } as CreateRunResponse
      return reply.code(existing ? 200 : 201).send(body)
    },
  )

  app.get(
    '/v1/runs/:id',
    {
      config: { callers: ['runner', 'person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'A run with its stacks',
        params: z.object({ id: Uuid }),
        response: { 200: Run, ...errorBodies(400, 403, 404, 409) },
      },
    },
    async (request, reply) => reply.send((await readRun(deps, anyCallerOf(request), request.params.id)) as Run),
  )
}
