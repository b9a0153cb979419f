import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestEffect } from './fault.ts'
import type { FaultBook, RequestStrike } from './faults.ts'

const prefix = '/api/v3'

type Refusal = { status: number; message: string; headers: Record<string, string> }

/** Lets faults strike requests and connections. Called before any route is added, as fastify's hooks require. */
export const addRequestFaults = (server: FastifyInstance, faults: FaultBook, clock: () => Date): void => {
  const strikes = new WeakMap<FastifyRequest, RequestStrike>()

  server.server.on('connection', (socket) => {
    if (faults.onConnection()) socket.destroy()
  })
  // Open connections end when the code host goes down.
  faults.onAdded((fault) => {
    if (fault.kind === 'down') server.server.closeAllConnections()
  })

  server.addHook('preHandler', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const asked = path.startsWith(prefix) ? path.slice(prefix.length) : path
    const strike = faults.onRequest({ method: request.method, path: asked, body: request.body })
    if (!strike) return
    strikes.set(request, strike)
    const { effect } = strike
    if (effect === 'drop-before') return hangUp(reply)
    if (effect === 'hang-before') return hang(reply, strike)
    if (typeof effect === 'object' && 'slowMs' in effect) await delay(effect.slowMs)
    const refusal = refusalOf(effect, clock)
    if (!refusal) return
    strikes.delete(request)
    const documentation_url = 'https://docs.github.com/rest'
    return reply.code(refusal.status).headers(refusal.headers).send({ message: refusal.message, documentation_url })
  })

  server.addHook('onSend', async (request, reply, payload) => {
    const strike = strikes.get(request)
    if (strike?.effect === 'drop-after') return silence(hangUp(reply))
    if (strike?.effect === 'hang-after') return silence(hang(reply, strike))
    if (strike?.effect === 'truncate') return silence(truncate(reply, String(payload ?? '')))
    return payload
  })
}

/** A hook of fastify that never returns: the reply is no longer fastify's, and what it would send is not sent. */
const silence = (_taken: FastifyReply): Promise<never> => new Promise(() => {})

const hangUp = (reply: FastifyReply): FastifyReply => {
  reply.hijack()
  reply.raw.socket?.destroy()
  return reply
}

const hang = (reply: FastifyReply, { removed }: RequestStrike): FastifyReply => {
  reply.hijack()
  const { socket } = reply.raw
  if (removed.aborted) socket?.destroy()
  else removed.addEventListener('abort', () => socket?.destroy(), { once: true })
  return reply
}

const truncate = (reply: FastifyReply, payload: string): FastifyReply => {
  reply.hijack()
  const bytes = Buffer.from(payload)
  // Promises the whole length, or one byte if there is nothing to cut.
  const length = Math.max(1, bytes.length)
  reply.raw.writeHead(reply.statusCode, { ...textHeaders(reply), 'content-length': String(length) })
  reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => reply.raw.socket?.destroy())
  return reply
}

const textHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))

const refusalOf = (effect: RequestEffect, clock: () => Date): Refusal | undefined => {
  if (typeof effect !== 'object') return undefined
  if ('status' in effect) {
    const { status, message = 'refused by a fault of the emulator', headers = {} } = effect
    return { status, message, headers }
  }
  if ('rateLimit' in effect) {
    const { status = 403, resetInSeconds } = effect.rateLimit
    const reset = Math.ceil(clock().getTime() / 1000) + resetInSeconds
    const figures = { limit: 5000, remaining: 0, used: 5000, reset, resource: 'core' }
    const headers = Object.entries(figures).map(([name, value]) => [`x-ratelimit-${name}`, String(value)])
    return { status, message: 'API rate limit exceeded for installation.', headers: Object.fromEntries(headers) }
  }
  if ('slowMs' in effect) return undefined
  return {
    status: 403,
    message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    headers: { 'retry-after': String(effect.secondaryRateLimit.retryAfterSeconds) },
  }
}
