import type { FastifyRequest } from 'fastify'
import { Problem } from '#errors.ts'

/**
 * Whether a request that a browser sent with a session comes from this service's own pages (spec, 'Person rules'): a cookie
 * goes along with whatever another site makes a browser send. What only reads may come from anywhere: its answer is
 * readable to our own pages alone.
 */
export const requireSameOrigin = (request: FastifyRequest, baseUrl: string): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOwn = origin === undefined ? site === 'same-origin' : origin === new URL(baseUrl).origin
  if (!isOwn) {
    throw new Problem('forbidden', `requests with a session that change something must come from ${baseUrl} itself`)
  }
}
