import { z } from 'zod'
import { Check, CheckName, CheckVerdict } from '#api/runs/check.ts'
import { StackKey, Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { postCheck } from '#commands/jobs/post-check.ts'
import type { App } from '#http/app.ts'
import { callerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'

/** POST /v1/runs/{id}/stacks/{key}/checks/{name}. */
export const addCheckRoute = (app: App, deps: Deps): void => {
  app.post(
    '/v1/runs/:id/stacks/:key/checks/:name',
    {
      config: { callers: ['runner', 'key'] },
      schema: {
        tags: ['runs'],
        summary: "Record a named check's verdict on a stack, before its result; posting again replaces it",
        params: z.object({ id: Uuid, key: StackKey, name: CheckName }),
        body: CheckVerdict,
        response: { 200: Check, ...errorBodies(400, 403, 404, 409, 413) },
      },
    },
    async (request, reply) => {
      const { id, key, name } = request.params
      const at = { runId: id, key, name }
      return reply.send(await postCheck(deps, callerOf(request), at, request.body, request.id))
    },
  )
}
