import { z } from 'zod'
import { GraphUploadRequest } from '#api/runs/graph-upload.ts'
import { ResolveResponse } from '#api/runs/resolve.ts'
import { Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { resolveRun } from '#commands/uploads/resolve-run.ts'
import { limits } from '#domain/limits.ts'
import type { App } from '../app.ts'
import { heldBodyOf, holdBodies } from '../bodies/held-bodies.ts'
import { compileValidator } from '../compile-validator.ts'
import { callerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'
import { sendAsIs } from '../send-as-is.ts'

/**
 * POST /v1/runs/{id}/graph. The body is passed on as it came: the command parses and checks its 8 MB off the event loop, or the
 * results of other jobs would have to wait.
 */
export const addGraphRoute = (app: App, deps: RequestDeps): void => {
  app.register(async (scope: App) => {
    holdBodies(scope, {
      most: limits.graphBodyBytes,
      ms: limits.graphSeconds * 1000,
      budgetBytes: limits.graphBytes,
      ownerOf: (request) => {
        const caller = callerOf(request)
        if (caller.kind === 'key') return [caller.name]
        return [caller.repository.installation_id, caller.repository.id]
      },
    })
    scope.setValidatorCompiler<z.ZodType>((part) =>
      part.httpPart === 'body' ? (body: unknown) => ({ value: body }) : compileValidator(part),
    )
    scope.post(
      '/v1/runs/:id/graph',
      {
        bodyLimit: limits.graphBodyBytes,
        config: { callers: ['runner'] },
        schema: {
          tags: ['runs'],
          summary: 'Upload the graph of the commit; returns the affected stacks in waves',
          params: z.object({ id: Uuid }),
          // described here, checked by the command
          body: GraphUploadRequest,
          response: { 200: ResolveResponse, ...errorBodies(400, 403, 404, 409, 413) },
        },
      },
      async (request, reply) => {
        const resolved = await resolveRun(deps, callerOf(request), request.params.id, heldBodyOf(request), request.id)
        return sendAsIs(reply.type('application/json; charset=utf-8'), resolved)
      },
    )
  })
}
