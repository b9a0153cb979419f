import { ErrorBody } from '#api/error-body.ts'
import { Health } from '#api/health.ts'
import { Problem } from '#errors.ts'
import type { App, ServerDeps } from '../app.ts'
import { createReadiness } from '../readiness.ts'

/** GET /healthz: the process is alive; no database. GET /readyz: it can serve; 503 while it cannot, or is about to stop. */
export const addHealthRoutes = (
  app: App,
  deps: Pick<ServerDeps, 'pool' | 'build' | 'service' | 'clockAheadMs' | 'queueTrouble'>,
): void => {
  const body: Health = { status: 'ok', version: deps.build.version, ...(deps.service ? {} : { setup_mode: true }) }
  const schema = { tags: ['operations'], response: { 200: Health } }
  const config = { callers: ['anyone'] as const }

  app.get('/healthz', { config, schema: { ...schema, summary: 'Whether the process is alive' } }, async () => body)

  const readiness = { ...schema, summary: 'Whether it can serve', response: { 200: Health, 503: ErrorBody } }
  const isReady = createReadiness(deps)
  app.get('/readyz', { config, schema: readiness }, async () => {
    if (app.isDraining()) throw new Problem('unavailable', 'the service is shutting down')
    await isReady()
    return body
  })
}
