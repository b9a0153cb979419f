import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyCaller, Caller } from '#commands/caller.ts'
import type { Person } from '#commands/people/person.ts'
import { Problem } from '#errors.ts'
import type { CallerKind } from './caller-kinds.ts'

/** How each way to prove oneself is checked. Rejects with a Problem where the proof fails. */
export type Proofs = {
  /** The caller behind the bearer token. */
  bearer(request: FastifyRequest): Promise<Caller>
  /** The person whose session the cookie is of; undefined without a cookie. */
  session(request: FastifyRequest): Promise<Person | undefined>
  /** That a request with a session is from a page of this service. */
  sameOrigin(request: FastifyRequest): void
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
    request.caller = await callerBy(proofs, request, kinds)
  })
  app.addHook('preValidation', async (request) => {
    if (!request.is404 && callersOf(request).includes('codehost')) proofs.signature(request)
  })
}

/** A header is sent on purpose, a cookie goes along by itself: with both, the header counts. */
const callerBy = async (proofs: Proofs, request: FastifyRequest, kinds: readonly CallerKind[]): Promise<AnyCaller> => {
  if (kinds.includes('person') && request.headers.authorization === undefined) {
    const person = await proofs.session(request)
    if (person) {
      proofs.sameOrigin(request)
      return person
    }
  }
  return admitted(await proofs.bearer(request), kinds)
}

const callersOf = (request: FastifyRequest): readonly CallerKind[] => request.routeOptions.config.callers ?? []

/** A job on a page for people has the wrong credentials (401, spec, 'Person rules'); a key on a job's route has not the right. */
const admitted = (caller: Caller, kinds: readonly CallerKind[]): Caller => {
  if (kinds.includes(caller.kind)) return caller
  if (caller.kind === 'runner')
    throw new Problem('unauthorized', 'tokens of CI jobs are not taken here: use an API key')
  const only = kinds.includes('runner') ? 'a CI job' : 'a person who is signed in'
  throw new Problem('forbidden', `API keys are not taken here: only ${only} can do this`)
}

/** Who was let in, on routes for jobs and automation. */
export const callerOf = (request: FastifyRequest): Caller => only(request, 'runner', 'key')

/** Who was let in, on routes for people and automation. */
export const readerOf = (request: FastifyRequest): Extract<AnyCaller, { kind: 'person' | 'key' }> =>
  only(request, 'person', 'key')

/** Who was let in, on routes for people alone. */
export const personOf = (request: FastifyRequest): Person => only(request, 'person')

/** Who was let in, on routes for all three. */
export const anyCallerOf = (request: FastifyRequest): AnyCaller => only(request, 'runner', 'key', 'person')

const only = <K extends AnyCaller['kind']>(
  { caller, routeOptions }: FastifyRequest,
  ...kinds: K[]
): Extract<AnyCaller, { kind: K }> => {
  const isMeant = (one: AnyCaller): one is Extract<AnyCaller, { kind: K }> => kinds.some((kind) => kind === one.kind)
  if (!caller || !isMeant(caller)) {
    throw new Error(`${routeOptions.url} asks for a caller that its config does not name`)
  }
  return caller
}
