import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ErrorBody } from '#api/error-body.ts'
import { Problem } from '#errors.ts'
import type { Metrics } from '#metrics.ts'
import type { App } from '../app.ts'
import { sameSecret } from '../same-secret.ts'

/** GET /metrics: the text exposition format. */
export const addMetricsRoute = (app: App, metrics: Metrics): void => {
  const response = { 200: z.string(), 401: ErrorBody }
  const schema = { tags: ['operations'], summary: 'Metrics in the text exposition format', response }
  app.get('/metrics', { config: { callers: ['scraper'] }, schema }, async (_request, reply) => {
    const { contentType, text } = await metrics.expose()
    return reply.type(contentType).send(text)
  })
}

/** Open unless a token is set (docs/interface.md, 'Authentication'). */
export const metricsTokenProof =
  (token: string | undefined) =>
  (request: FastifyRequest): void => {
    if (token === undefined) return
    const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (given === undefined || !sameSecret(given, token)) {
      throw new Problem('unauthorized', 'a scrape needs Authorization: Bearer with the metrics token')
    }
  }
