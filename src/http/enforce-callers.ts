import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '#commands/caller.ts'
import { Problem } from '#errors.ts'
import type { CallerKind } from './caller-kinds.ts'

/** How each way to prove oneself is checked. Rejects with a Problem where the proof fails. */
export type Proofs = {
  /** The caller behind the bearer token. */
  bearer(request: FastifyRequest): Promise<Caller>
  metricsToken(request: FastifyRequest): void
  signature(request: FastifyRequest): void
}

/**
 * The one place that decides who gets into a route. Bearer tokens are checked before the body is read, so that nobody
 * unknown makes us read 8 MB; a signature is over the body, so it is checked after that and before anything looks at it.
 */
export const enforceCallers = (app: FastifyInstance, proofs: Proofs): void => {
  app.decorateRequest('caller', undefined)
  app.addHook('onRoute', (route) => {
    if (!route.config?.callers?.length) throw new Error(`route ${route.method} ${route.url} does not name its callers`)
  })
  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const kinds = callersOf(request)
    if (kinds.includes('anyone') || kinds.includes('codehost')) return
    if (kinds.includes('scraper')) return proofs.metricsToken(request)
    request.caller = admitted(await proofs.bearer(request), kinds)
  })
  app.addHook('preValidation', async (request) => {
    if (!request.is404 && callersOf(request).includes('codehost')) proofs.signature(request)
  })
}

const callersOf = (request: FastifyRequest): readonly CallerKind[] => request.routeOptions.config.callers ?? []

/** A job on a page for people has the wrong credentials (401, spec, 'Person rules'); a key on a job's route has not the right. */
const admitted = (caller: Caller, kinds: readonly CallerKind[]): Caller => {
  if (kinds.includes(caller.kind)) return caller
  if (caller.kind === 'runner')
    throw new Problem('unauthorized', 'tokens of CI jobs are not taken here: use an API key')
  throw new Problem('forbidden', 'API keys are not taken here: only a CI job can do this')
}

/** Who was let in. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (!request.caller) throw new Error(`${request.routeOptions.url} asks for a caller that its config does not name`)
  return request.caller
}
