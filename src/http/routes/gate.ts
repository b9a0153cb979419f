import { z } from 'zod'
import { Gate } from '#api/gate.ts'
import { Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { readGate } from '#commands/read-gate.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** GET /v1/runs/{id}/gate: the apply gate of a plan run without applying. */
export const addGateRoute = (app: App, deps: Deps): void => {
  app.get(
    '/v1/runs/:id/gate',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'Whether a plan run could be applied now: every layer of the gate, with the facts behind it',
        params: z.object({ id: Uuid }),
        response: { 200: Gate, ...errorBodies(400, 403, 404, 409) },
      },
    },
    async (request, reply) => reply.send(await readGate(deps, readerOf(request), request.params.id)),
  )
}
