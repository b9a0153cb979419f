import { z } from 'zod'
import { StackUnlockRequest, UnlockRequest, UnlockResponse } from '#api/repositories/unlock.ts'
import { Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { unlockStack } from '#commands/locks/unlock-stack.ts'
import type { App } from '../app.ts'
import { parseOptionalJson, takeJsonBodies } from '../bodies/json-body.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** POST /v1/unlock and POST /v1/stacks/{id}/unlock. */
export const addUnlockRoutes = (app: App, deps: Deps): void => {
  app.post(
    '/v1/unlock',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['locks'],
        summary: 'Release the lock of a stack, named by repository and key',
        body: UnlockRequest,
        response: { 200: UnlockResponse, ...errorBodies(400, 403, 404, 409, 413) },
      },
    },
    async (request, reply) => {
      const { repo, stack_key, ...asked } = request.body
      const answer = await unlockStack(deps, readerOf(request), { repo, stack_key }, asked, request.id)
      return reply.send(answer)
    },
  )

  app.register(async (scope: App) => {
    takeJsonBodies(scope, parseOptionalJson)
    scope.post(
      '/v1/stacks/:id/unlock',
      {
        config: { callers: ['person', 'key'] },
        schema: {
          tags: ['locks'],
          summary: 'Release the lock of a stack',
          params: z.object({ id: Uuid }),
          body: StackUnlockRequest,
          response: { 200: UnlockResponse, ...errorBodies(400, 403, 404, 409, 413) },
        },
      },
      async (request, reply) => {
        const named = { stackId: request.params.id }
        const answer = await unlockStack(deps, readerOf(request), named, request.body, request.id)
        return reply.send(answer)
      },
    )
  })
}
