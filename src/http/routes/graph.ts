import { z } from 'zod'
import { GraphUploadRequest } from '#api/graph-upload.ts'
import { ResolveResponse } from '#api/resolve.ts'
import { Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { resolveRun } from '#commands/resolve-run.ts'
import { limits } from '#domain/limits.ts'
import type { App } from '../app.ts'
import { compileValidator } from '../compile-validator.ts'
import { callerOf } from '../enforce-callers.ts'
import { emptyBody, takeJsonBodies } from '../json-body.ts'
import { errorBodies } from '../openapi.ts'

/**
 * POST /v1/runs/{id}/graph. The body goes on as text: 8 MB of it are parsed and checked beside the event loop, by the
 * command, so that the results of other jobs need not wait.
 */
export const addGraphRoute = (app: App, deps: RequestDeps): void => {
  app.register(async (scope: App) => {
    takeJsonBodies(scope, (text) => text)
    scope.post(
      '/v1/runs/:id/graph',
      {
        bodyLimit: limits.graphBodyBytes,
        config: { callers: ['runner'] },
        schema: {
          tags: ['runs'],
          summary: 'Upload the graph of the commit; answers the affected stacks in waves',
          params: z.object({ id: Uuid }),
          // described here, checked by the command
          body: GraphUploadRequest,
          response: { 200: ResolveResponse, ...errorBodies(400, 403, 404, 409, 413) },
        },
        validatorCompiler: (part) =>
          part.httpPart === 'body' ? (text: unknown) => ({ value: text }) : compileValidator(part as never),
      },
      async (request, reply) => {
        const text: unknown = request.body
        if (typeof text !== 'string' || text.trim() === '') throw emptyBody()
        const resolved = await resolveRun(deps, callerOf(request), request.params.id, text, request.id)
        return reply.send(resolved as ResolveResponse)
      },
    )
  })
}
