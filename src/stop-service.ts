import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Log } from './log.ts'

export type Running = {
  server: Pick<FastifyInstance, 'drain' | 'close'>
  /** The parts behind the API; none in setup mode. */
  parts?: {
    scheduler: { stop(): Promise<void> } | undefined
    /** Takes no more work at once; resolves when running work has ended. */
    workers: { stop(): Promise<void> }
    runtime: { idle(): Promise<void> }
    resolver: { stop(): Promise<unknown> }
    restored: { stop(): Promise<void> }
  }
  replica?: { stop(): Promise<void> }
  pool: { end(): Promise<void> }
  log: Log
}

/** Running handlers, after the requests (docs/interface.md, 'Limits': shutdown). */
const handlersMs = 30_000

/** For parts that have nothing left to do, or wait for a database that is gone. */
const restMs = 2000

export type Stop = {
  /**
   * How long to go on serving after readiness is turned off, so a balancer sees it first: connections are refused afterwards.
   */
  lameDuckMs?: number
  /** For tests: half a minute is long. */
  handlersMs?: number
}

/**
 * Ends in bounded time: readiness is turned off, requests in flight are answered (15 s at most, see http/shutdown.ts),
 * running handlers end (30 s more). Unfinished work is not lost: its lease runs out and another instance goes on with it.
 */
export const stopService = async ({ server, parts, replica, pool, log }: Running, stop: Stop = {}): Promise<void> => {
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
  await within(restMs, parts?.restored.stop())
  await within(restMs, replica?.stop())
  await within(restMs, pool.end())
  log.info('stopped')
}

/** Whether the work ended in time. */
const within = async (ms: number, work: Promise<unknown> | undefined): Promise<boolean> => {
  const late = new AbortController()
  const limit = wait(ms, false, { signal: late.signal }).catch(() => false)
  const ended = Promise.resolve(work).then(() => true)
  return Promise.race([ended, limit]).finally(() => late.abort())
}
