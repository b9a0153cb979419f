import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '#domain/limits.ts'
import { createByteBudget, type Owner } from './byte-budget.ts'
import { readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads the text of a body, which counts until its request is answered. */
    readText(request: FastifyRequest, source: Readable): Promise<string>
  }
  interface FastifyRequest {
    reply: FastifyReply | undefined
  }
}

/** The bodies of all routes without a budget of their own share one: 400 of 1 MB would be more than the service has. */
export const shareBudget = (app: FastifyInstance): void => {
  const budget = createByteBudget(limits.bodiesBytes)
  const [most, ms] = [limits.bodyBytes, limits.requestSeconds * 1000]
  app.decorateRequest('reply', undefined)
  app.addHook('preParsing', (request, reply, payload, done) => {
    request.reply = reply
    done(null, payload)
  })
  app.decorate('readText', async (request: FastifyRequest, source: Readable): Promise<string> => {
    const reading = { announced: request.headers['content-length'], most, ms, budget, owner: ownerOf(request) }
    const { body, holding } = await readBody(source, reading)
    // also after a whole answer: what counts is that it comes once, whatever happens
    request.reply?.raw.once('close', holding.end)
    return body.toString('utf8')
  })
}

const ownerOf = ({ caller, ip }: FastifyRequest): Owner => {
  if (caller?.kind === 'runner') return [caller.repository.installation_id, caller.repository.id]
  return [caller ? `${caller.kind} ${caller.kind === 'key' ? caller.name : caller.id}` : ip]
}
