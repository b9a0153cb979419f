import { z } from 'zod'
import { Gate, GateTrial } from '#api/runs/gate.ts'
import { Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { readGate } from '#commands/reads/run/read-gate.ts'
import { createTrialBudget } from '#commands/reads/run/trial-budget.ts'
import { tryGate } from '#commands/reads/run/try-gate.ts'
import type { App } from '#http/app.ts'
import { readerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'

/**
 * GET /v1/runs/{id}/gate: checks the apply gate of a plan run without applying; for an apply, what the gate found. POST: the same of a
 * plan run by another configuration.
 */
export const addGateRoutes = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/runs/:id/gate',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary:
          'Whether a plan run could be applied now, or why an apply passed: every layer of the gate, with its facts',
        params: z.object({ id: Uuid }),
        response: { 200: Gate, ...errorBodies(400, 403, 404, 409) },
      },
    },
    async (request, reply) => reply.send(await readGate(deps, readerOf(request), request.params.id)),
  )
  const trying = { ...deps, trials: createTrialBudget(deps.clock) }
  app.post(
    '/v1/runs/:id/gate',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'What the gate would say of a plan run by another svc.yml: nothing is applied, changed or kept',
        params: z.object({ id: Uuid }),
        body: GateTrial,
        response: { 200: Gate, ...errorBodies(400, 403, 404, 409, 413) },
      },
    },
    async (request, reply) =>
      reply.send(await tryGate(trying, readerOf(request), request.params.id, request.body.config)),
  )
}
