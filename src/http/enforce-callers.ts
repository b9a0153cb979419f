import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyCaller, Caller } from '#commands/callers/caller.ts'
import type { Person } from '#commands/callers/person.ts'
import { Problem } from '#errors.ts'
import type { CallerKind } from './caller-kinds.ts'

/** How each kind of proof is checked. Rejects with a Problem if the proof fails. */
export type Proofs = {
  /** The caller behind the bearer token. Where no jobs are admitted, only a key can be one, and nothing else is looked at. */
  bearer(request: FastifyRequest, admitsJobs: boolean): Promise<Caller>
  /** The person of the cookie's session; undefined without a cookie. */
  session(request: FastifyRequest): Promise<Person | undefined>
  /** Checks that a request with a session comes from a page of this service. */
  sameOrigin(request: FastifyRequest): void
  metricsToken(request: FastifyRequest): void
  /** That the header is written as a signature is. */
  signatureHeader(request: FastifyRequest): void
  signature(request: FastifyRequest): void
}

/**
 * The one place that decides who may call a route. Bearer tokens are checked before the body is read: an unknown caller must
 * not make us read 8 MB. A signature covers the body, so it is checked after reading and before anything uses it; without one
 * there is nothing to read for.
 */
export const enforceCallers = (app: FastifyInstance, proofs: Proofs): void => {
  app.decorateRequest('caller', undefined)
  app.addHook('onRoute', (route) => {
    if (!route.config?.callers?.length) throw new Error(`route ${route.method} ${route.url} does not name its callers`)
  })
  app.addHook('onRequest', async (request) => {
    if (request.is404) return
    const kinds = callersOf(request)
    if (kinds.includes('anyone')) return
    if (kinds.includes('codehost')) return proofs.signatureHeader(request)
    if (kinds.includes('scraper')) return proofs.metricsToken(request)
    request.caller = await callerBy(proofs, request, kinds)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.is404 && callersOf(request).includes('codehost')) proofs.signature(request)
    done()
  })
}

/** A header is sent on purpose, a cookie automatically: if both are there, the header counts. */
const callerBy = async (proofs: Proofs, request: FastifyRequest, kinds: readonly CallerKind[]): Promise<AnyCaller> => {
  if (kinds.includes('person') && request.headers.authorization === undefined) {
    const person = await proofs.session(request)
    if (person) {
      proofs.sameOrigin(request)
      return person
    }
  }
  return admitted(await proofs.bearer(request, kinds.includes('runner')), kinds)
}

const callersOf = (request: FastifyRequest): readonly CallerKind[] => request.routeOptions.config.callers ?? []

/** A key on a route for jobs or for people alone lacks permission. */
const admitted = (caller: Caller, kinds: readonly CallerKind[]): Caller => {
  if (kinds.includes(caller.kind)) return caller
  const only = kinds.includes('runner') ? 'a CI job' : 'a signed-in person'
  throw new Problem('forbidden', `API keys are not accepted here: only ${only} can do this`)
}

/** The caller on routes for jobs and automation. */
export const callerOf = (request: FastifyRequest): Caller => only(request, 'runner', 'key')

/** The caller on routes for people and automation. */
export const readerOf = (request: FastifyRequest): Extract<AnyCaller, { kind: 'person' | 'key' }> =>
  only(request, 'person', 'key')

/** The caller on routes for people alone. */
export const personOf = (request: FastifyRequest): Person => only(request, 'person')

/** The caller on routes for all three. */
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
