import type { FastifyRequest } from 'fastify'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { noteWrite } from '#db/people/writes.ts'
import type { Pool } from '#db/sql.ts'
import type { App } from './app.ts'
import { readerOf } from './enforce-callers.ts'

/**
 * Answers a request that only looks, from a replica where there is one that has the caller's last write. Never what decides
 * anything: a gate, a lock that is about to be taken, what a machine does.
 */
export const reading = <D extends Pick<RequestDeps, 'pool' | 'reads'>, T>(
  deps: D,
  request: FastifyRequest,
  work: (deps: D, caller: PersonOrKey) => Promise<T>,
): Promise<T> => {
  const caller = readerOf(request)
  return deps.reads(caller.wroteAt, (pool) => work({ ...deps, pool }, caller))
}

/** Notes what people and keys do, before they are answered: whatever they read next shows it. */
export const noteWrites = (app: App, pool: Pool): void => {
  app.addHook('onSend', async (request) => {
    const { caller, method, log } = request
    if (method === 'GET' || method === 'HEAD' || caller === undefined || caller.kind === 'runner') return
    const by = caller.kind === 'person' ? { sessionHash: caller.sessionHash } : { apiKey: caller.name }
    await noteWrite(pool, by).catch((error) => log.warn({ err: error }, 'what a caller wrote could not be noted'))
  })
}
