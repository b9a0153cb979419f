import { z } from 'zod'
import { CreateRunResponse } from '#api/runs/create-run.ts'
import { Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { rerun } from '#commands/runs/rerun.ts'
import type { App } from '#http/app.ts'
import { readerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'
import { parseOptionalJson, takeJsonBodies } from '../../bodies/json-body.ts'

/** POST /v1/runs/{id}/rerun. */
export const addRerunRoute = (app: App, deps: Deps): void => {
  app.register(async (scope: App) => {
    takeJsonBodies(scope, parseOptionalJson)
    scope.post(
      '/v1/runs/:id/rerun',
      {
        config: { callers: ['person', 'key'] },
        schema: {
          tags: ['runs'],
          summary: 'Plan every stack of a plan run again in a new run on the same commit',
          params: z.object({ id: Uuid }),
          response: { 201: CreateRunResponse, ...errorBodies(400, 403, 404, 409) },
        },
      },
      async (request, reply) => {
        const run = await rerun(deps, readerOf(request), request.params.id, request.id)
        return reply.code(201).send({ run_id: run.id, status: run.status, existing: false, run })
      },
    )
  })
}
