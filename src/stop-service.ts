import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Log } from './log.ts'

export type Running = {
  server: Pick<FastifyInstance, 'drain' | 'close'>
  /** What works behind the API, in setup mode nothing. */
  parts?: {
    scheduler: { stop(): Promise<void> } | undefined
    /** Takes nothing more at once; resolves when what runs has ended. */
    workers: { stop(): Promise<void> }
    runtime: { idle(): Promise<void> }
    resolver: { stop(): Promise<void> }
  }
  pool: { end(): Promise<void> }
  log: Log
}

/** Running handlers, after the requests (spec, 'Limits': shutdown). */
const handlersMs = 30_000

/** What has nothing to do any more, or waits for a database that is gone. */
const restMs = 2000

export type Stop = {
  /** How long to go on serving after readiness is turned off, so that a balancer has seen it: connections are refused then. */
  lameDuckMs?: number
  /** For tests: half a minute is long. */
  handlersMs?: number
}

/**
 * Ends in bounded time: readiness is turned off, requests in flight are answered (15 s at most, see http/shutdown.ts), running
 * handlers end (30 s more). What did not end by then is nobody's loss: its lease runs out and another instance goes on.
 */
export const stopService = async ({ server, parts, pool, log }: Running, stop: Stop = {}): Promise<void> => {
  server.drain()
  log.info('stopping')
  if (stop.lameDuckMs) await wait(stop.lameDuckMs)
  const worked = parts?.workers.stop().catch((error) => log.warn({ err: error }, 'the workers did not end well'))
  await within(restMs, parts?.scheduler?.stop())
  await server.close()
  if (!(await within(stop.handlersMs ?? handlersMs, worked))) {
    log.warn('handlers that still run are cut off: another instance goes on with them when their leases run out')
  }
  await within(restMs, parts?.runtime.idle())
  await within(restMs, parts?.resolver.stop())
  await within(restMs, pool.end())
  log.info('stopped')
}

/** Whether it ended in time. */
const within = async (ms: number, work: Promise<unknown> | undefined): Promise<boolean> => {
  const late = new AbortController()
  const limit = wait(ms, false, { signal: late.signal }).catch(() => false)
  const ended = Promise.resolve(work).then(() => true)
  return Promise.race([ended, limit]).finally(() => late.abort())
}
