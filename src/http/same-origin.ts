import type { FastifyRequest } from 'fastify'
import { Problem } from '#errors.ts'

/**
 * Whether a browser's request with a session comes from this service's own pages (docs/interface.md, 'People'): another site
 * can make a browser send a request with its cookie. A request that only reads may come from anywhere: only our own pages can
 * read its answer.
 */
export const requireSameOrigin = (request: FastifyRequest, baseUrl: string): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOwn = origin === undefined ? site === 'same-origin' : origin === new URL(baseUrl).origin
  if (!isOwn) {
    throw new Problem('forbidden', `requests that change something with a session must come from ${baseUrl} itself`)
  }
}
