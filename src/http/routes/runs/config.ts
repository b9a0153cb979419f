import { z } from 'zod'
import { RunConfig } from '#api/runs/run-config.ts'
import { Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { readRunConfig } from '#commands/reads/run/read-run-config.ts'
import { Problem } from '#errors.ts'
import type { App } from '#http/app.ts'
import { callerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'

/** GET /v1/runs/{id}/config: what a job of the run may run beside the tool, as the default branch says. */
export const addRunConfigRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/runs/:id/config',
    {
      config: { callers: ['runner'] },
      schema: {
        tags: ['runs'],
        summary: "The default branch's svc.yml, for a job of the run",
        params: z.object({ id: Uuid }),
        response: { 200: RunConfig, ...errorBodies(400, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      if (caller.kind !== 'runner') throw new Problem('forbidden', 'only a job of the run reads it')
      return reply.send({ config: await readRunConfig(deps, caller, request.params.id) })
    },
  )
}
