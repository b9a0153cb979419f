import type { FastifyInstance } from 'fastify'
import { systemClock } from '#clock.ts'
import { readDelivery } from '#codehost/github/deliveries.ts'
import { createResolver } from '#commands/uploads/resolver.ts'
import { createPool } from '#db/pool.ts'
import { buildServer } from '#http/server.ts'
import { createLog } from '#log.ts'
import { createMetrics } from '#metrics.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { startWorkers } from '#workers/workers.ts'

type Options = { secret: string; connections: number; working: boolean }

/**
 * The service's server as in production, with its log output discarded; with workers that handle deliveries, if asked. No
 * repository is installed, so handling a delivery ends after reading it.
 */
export const openService = async (
  url: string,
  { secret, connections, working }: Options,
): Promise<{ app: FastifyInstance; stop(): Promise<void> }> => {
  const log = createLog({ level: 'info', format: 'json' }, { write: () => {} })
  const pool = await createPool(url, { log, size: connections })
  const metrics = createMetrics({ version: '0', commit: '0' })
  const resolver = createResolver()
  const baseUrl = 'https://svc.example.com'
  let wake = (): void => {}
  const codehost = { causedBy: () => codehost } as never
  const commands = {
    ...{ pool, log, metrics, baseUrl, codehost, clock: systemClock, pause: async () => {} },
    ...{ runtime: createRuntime({ pool, clock: systemClock, onJobs: () => wake() }), resolver },
  }
  const app = buildServer({
    ...{ build: { version: '0', commit: '0' }, baseUrl, pool, log, clock: systemClock, metrics },
    ...{ metricsToken: undefined, sessionKey: Buffer.alloc(32) },
    setup: { apiUrl: '', webUrl: '', allowResetup: false, convert: () => Promise.reject(new Error('not here')) },
    service: {
      ...{ commands, webhookSecret: secret, signIn: undefined },
      verifyToken: () => Promise.reject(new Error('no jobs here')),
    },
  } as never)
  const workers = working ? startWorkers({ ...commands, readDelivery, concurrency: 10 } as never) : undefined
  wake = workers?.wake ?? wake
  return {
    app,
    stop: async () => {
      await workers?.stop()
      await resolver.stop()
      await pool.end()
    },
  }
}
