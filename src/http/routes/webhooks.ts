import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fieldsRead } from '#codehost/github/deliveries.ts'
import { isSignature, verifySignature } from '#codehost/github/signature.ts'
import { createReceiver } from '#commands/host-news/receive-delivery.ts'
import { NotJson } from '#db/queue/deliveries.ts'
import { limits } from '#domain/limits.ts'
import { invalid, Problem } from '#errors.ts'
import type { Metrics } from '#metrics.ts'
import { turn } from '#portions.ts'
import type { App, Service } from '../app.ts'
import { createByteBudget } from '../bodies/byte-budget.ts'
import { shortPayload } from '../bodies/long-payload.ts'
import { readBody } from '../bodies/read-body.ts'
import { errorBodies } from '../openapi.ts'
import { wrongContentType } from '../problem.ts'

/**
 * POST /webhooks/codehost: verified, queued, and answered with 202 within the 10 s that the code host waits; a worker does the
 * work (GitHub Docs, 'Validating webhook deliveries' and 'Webhook events and payloads').
 */
export const addWebhookRoute = (app: App, { commands }: Service, metrics: Metrics): void => {
  const receive = createReceiver(commands)
  const readUnverified = unverifiedBodies()
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // the signature covers the bytes as received
    scope.addContentTypeParser('*', (request: FastifyRequest, source: Readable) => readUnverified(request, source))
    scope.route({
      method: 'POST',
      url: '/webhooks/codehost',
      bodyLimit: limits.webhookBodyBytes,
      config: { callers: ['codehost'] },
      schema: {
        tags: ['code host'],
        summary: 'A delivery of the code host',
        response: { 202: z.null(), ...errorBodies(400, 413) },
      },
      handler: async (request, reply) => {
        const event = headerOf(request, 'x-github-event')
        const id = headerOf(request, 'x-github-delivery')
        metrics.webhookReceived(event)
        const payload = await payloadOf(request)
        const result = await receive({ id, event, payload }).catch((error) => {
          throw asProblem(error, payload)
        })
        if (result === 'duplicate') metrics.webhookDuplicate()
        return reply.code(202).send()
      },
    })
  })
}

/** Reads bodies within their budget; a body leaves it when it is read, since its signature is checked in the same moment. */
const unverifiedBodies = (): ((request: FastifyRequest, source: Readable) => Promise<Buffer>) => {
  const budget = createByteBudget(limits.unverifiedBytes)
  return async (request, source) => {
    const announced = request.headers['content-length']
    const [most, ms] = [limits.webhookBodyBytes, limits.webhookSeconds * 1000]
    const reading = { announced, most, ms, budget, owner: [request] }
    const { body, holding } = await readBody(source, reading)
    holding.end()
    return body
  }
}

const bytesOf = (request: FastifyRequest): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))

/** 401 before the body is read, where the header cannot be a signature: nobody's 25 MB are held in memory for that. */
export const signatureHeaderProof = ({ headers }: FastifyRequest): void => {
  if (isSignature(headers['x-hub-signature-256'])) return
  throw new Problem('unauthorized', 'X-Hub-Signature-256 must be sha256= and 64 hexadecimal digits')
}

/** The delivery is the code host's own: signed with the secret that only it and this service know. */
export const signatureProof =
  (secret: string) =>
  (request: FastifyRequest): void => {
    const given = request.headers['x-hub-signature-256']
    if (typeof given !== 'string' || !verifySignature(secret, bytesOf(request), given)) {
      throw new Problem('unauthorized', 'X-Hub-Signature-256 is not the signature of this body')
    }
  }

const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  if (typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value)) return value
  throw invalid(name, 'is missing: must be the one the code host sends with each delivery')
}

/** Nearly all are 10 to 30 KB. Of a longer one only what is read is kept. */
const longChars = 256 * 1024

/** The JSON text of the payload: the body itself, or the field `payload` of a form. */
const payloadOf = async (request: FastifyRequest): Promise<string> => {
  const bytes = bytesOf(request)
  // 25 MB were put together and their signature checked in this turn, and to make a text of them takes as long
  if (bytes.length > longChars) await turn()
  const text = bytes.toString('utf8')
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return storable(text)
  if (type !== 'application/x-www-form-urlencoded') {
    throw wrongContentType('application/json or application/x-www-form-urlencoded')
  }
  const payload = new URLSearchParams(text).get('payload')
  if (payload === null) throw invalid('payload', 'is missing from the form')
  return storable(payload)
}

/** What Postgres cannot store in JSON: U+0000, and half of a surrogate pair. A title may contain it. */
const unstorable = /\\u(?:0000|d[89a-f])/i

/**
 * The text of an object, without what cannot be stored. Whether it is JSON throughout, Postgres checks as it stores it:
 * parsing it here too would take a sixth of the time of a small delivery and a quarter of a large one's.
 */
const storable = async (given: string): Promise<string> => {
  const isLong = given.length > longChars && /^\s*\{/.test(given)
  const text = isLong ? await shortPayload(given, fieldsRead) : given
  if (text === undefined) throw invalid('payload', 'must be one JSON object: it does not come to its end')
  const isStorable = !text.includes('\0') && !(text.includes('\\u') && unstorable.test(text))
  if (isStorable && /^\s*\{/.test(text)) return text
  const payload = parsed(text)
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalid('payload', 'must be a JSON object')
  }
  return JSON.stringify(payload, (_key, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid('payload', `must be one JSON object: ${(error as Error).message}`)
  }
}

/** A Problem that says what is wrong in the payload, and where, from the database's error. */
const asProblem = (error: unknown, payload: string): unknown => {
  if (!(error instanceof NotJson)) return error
  parsed(payload)
  return invalid('payload', 'must be a JSON object that can be stored')
}
