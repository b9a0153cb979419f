import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Problem } from '#errors.ts'
import type { App } from '../app.ts'
import { createByteBudget, type Owner } from './byte-budget.ts'
import { emptyBody, refuseOtherType } from './json-body.ts'
import { readBody } from './read-body.ts'

/** A body as it came, which counts as held in memory until its request is answered. */
export class HeldBody {
  readonly bytes: Buffer
  /** Aborted when the client has left, or when the body must give way to others: the reason is then a Problem. */
  readonly signal: AbortSignal

  constructor(bytes: Buffer, signal: AbortSignal) {
    this.bytes = bytes
    this.signal = signal
  }
}

export type HoldOptions = {
  /** Of one body. */
  most: number
  /** How long one may take to arrive. */
  ms: number
  /** Of all bodies of these routes together. */
  budgetBytes: number
  ownerOf(request: FastifyRequest): Owner
}

/** Routes of this scope get the bytes of a JSON body as a HeldBody. */
export const holdBodies = (scope: App, { most, ms, budgetBytes, ownerOf }: HoldOptions): void => {
  const budget = createByteBudget(budgetBytes)
  const answered = new WeakMap<FastifyRequest, AbortController>()
  scope.addHook('preParsing', async (request, reply) => {
    const controller = new AbortController()
    answered.set(request, controller)
    // also after a whole answer: what counts is that it comes once, whatever happens
    reply.raw.once('close', () => controller.abort(new Problem('unavailable', 'the client has left')))
  })
  const read = async (request: FastifyRequest, source: Readable): Promise<HeldBody> => {
    const controller = answered.get(request) ?? new AbortController()
    const reading = { announced: request.headers['content-length'], most, ms, budget, owner: ownerOf(request) }
    const { body, holding } = await readBody(source, reading, (problem) => controller.abort(problem))
    controller.signal.addEventListener('abort', holding.end, { once: true })
    if (isBlank(body)) throw emptyBody()
    return new HeldBody(body, controller.signal)
  }
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', read)
  // fastify calls this for other content types, and for none
  scope.addContentTypeParser('*', async (request: FastifyRequest, source: Readable) => {
    refuseOtherType(request)
    return read(request, source)
  })
}

/** A large one is looked at by whoever parses it. */
const isBlank = (body: Buffer): boolean => body.length < 1024 && body.toString('utf8').trim() === ''

/** The body of a request to such a route. */
export const heldBodyOf = ({ body }: { body: unknown }): HeldBody => {
  if (body instanceof HeldBody) return body
  throw emptyBody()
}
