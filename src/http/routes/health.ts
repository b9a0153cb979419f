import { setTimeout as wait } from 'node:timers/promises'
import { ErrorBody } from '#api/error-body.ts'
import { Health } from '#api/health.ts'
import { ping } from '#db/pool.ts'
import { Problem } from '#errors.ts'
import type { App, ServerDeps } from '../app.ts'

/** A balancer asks every few seconds and takes silence for a failure: better to say no in time. */
const patienceMs = 2000

/** GET /healthz: the process is alive; no database. GET /readyz: it can serve; 503 while it cannot, or is about to stop. */
export const addHealthRoutes = (app: App, deps: Pick<ServerDeps, 'pool' | 'build' | 'service'>): void => {
  const body: Health = { status: 'ok', version: deps.build.version, ...(deps.service ? {} : { setup_mode: true }) }
  const schema = { tags: ['operations'], response: { 200: Health } }
  const config = { callers: ['anyone'] as const }

  app.get('/healthz', { config, schema: { ...schema, summary: 'Whether the process is alive' } }, async () => body)

  const readiness = { ...schema, summary: 'Whether it can serve', response: { 200: Health, 503: ErrorBody } }
  app.get('/readyz', { config, schema: readiness }, async () => {
    if (app.isDraining()) throw new Problem('unavailable', 'the service is shutting down')
    await reachable(deps)
    return body
  })
}

const reachable = async ({ pool }: Pick<ServerDeps, 'pool'>): Promise<void> => {
  const late = new AbortController()
  try {
    await Promise.race([
      ping(pool),
      wait(patienceMs, undefined, { signal: late.signal }).then(() => Promise.reject(new Error('no answer in time'))),
    ])
  } catch (cause) {
    throw new Problem('unavailable', 'the database cannot be reached', { cause })
  } finally {
    late.abort()
  }
}
