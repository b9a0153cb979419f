import { z } from 'zod'
import { RunStack } from '#api/runs/run-stack.ts'
import { StackResult } from '#api/runs/stack-result.ts'
import { StackKey, Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { reportResult } from '#commands/jobs/report-result.ts'
import type { App } from '#http/app.ts'
import { callerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'

/** POST /v1/runs/{id}/stacks/{key}/result. */
export const addResultRoute = (app: App, deps: Deps): void => {
  app.post(
    '/v1/runs/:id/stacks/:key/result',
    {
      config: { callers: ['runner', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'Report the result of a stack; the same result twice changes nothing',
        params: z.object({ id: Uuid, key: StackKey }),
        body: StackResult,
        response: { 200: RunStack, ...errorBodies(400, 403, 404, 409, 413) },
      },
    },
    async (request, reply) => {
      const { id, key } = request.params
      return reply.send(await reportResult(deps, callerOf(request), id, key, request.body, request.id))
    },
  )
}
