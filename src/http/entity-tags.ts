import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/**
 * A weak ETag over the body of each JSON answer to GET, and 304 without a body to who has it already (RFC 9110, 13.1.2). It saves
 * the way and not the work, which is done to know what the body is; `no-store` stays, so that the client keeps the body. Weak,
 * since the same body is sent compressed and as it is.
 */
export const tagAnswers = (app: App): void => {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (!isTagged(request, reply)) return done(null, payload)
    tagged(request, reply, payload).then((body) => done(null, body), done)
  })
}

const tagged = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
  const body = payload instanceof Readable ? await gathered(payload) : payload
  if (typeof body !== 'string') return body
  const tag = `W/"${hash('sha1', body, 'base64url')}"`
  reply.header('etag', tag)
  if (!names(request.headers['if-none-match'], tag)) return body
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return null
}

/** A route that knows a tag of its own has answered by it. */
const isTagged = ({ method }: FastifyRequest, reply: FastifyReply): boolean =>
  method === 'GET' &&
  reply.statusCode === 200 &&
  !reply.hasHeader('etag') &&
  /^application\/([a-z]+\+)?json(;|$)/.test(String(reply.getHeader('content-type')))

const names = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag.slice(2)) ?? false

/** A run of 600 stacks without texts has 235 KB; one with texts may have gigabytes, and goes out untagged as it is read. */
const gatheredBytes = 512 * 1024

/** A text that ends within the bound; else the stream as it was, with what was read of it put before the rest. */
const gathered = async (stream: Readable): Promise<string | Readable> => {
  const rest: AsyncIterator<unknown> = stream[Symbol.asyncIterator]()
  const read: string[] = []
  for (let bytes = 0; bytes <= gatheredBytes; ) {
    const { done, value } = await rest.next()
    if (done) return read.join('')
    const text = String(value)
    read.push(text)
    bytes += Buffer.byteLength(text)
  }
  return Readable.from(chained(read, rest))
}

async function* chained(first: readonly string[], rest: AsyncIterator<unknown>): AsyncGenerator<unknown> {
  yield* first
  yield* { [Symbol.asyncIterator]: () => rest }
}
