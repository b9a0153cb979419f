import type { FastifyReply, FastifyRequest } from 'fastify'
import { shortDigest } from '#short-digest.ts'
import type { BuiltUi } from './built-files.ts'

/**
 * The web interface runs its own files, asks its own API, and nothing else: no other host, no script or style in a document, no text
 * that becomes markup or code.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * The document that answers every path that nothing else answers: which page it is, the browser finds out. It is asked for again
 * each time, so a new build is there with the next click.
 */
export const indexDocument = ({ document }: BuiltUi, baseUrl: string) => {
  // built with relative addresses, which would be relative to whatever page is open
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  const text = document.replaceAll('="./', `="${base}/`)
  const etag = `"${shortDigest(text)}"`
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', etag })
    if (hasIt(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('text/html; charset=utf-8').send(text)
  }
}

/** By weak comparison (RFC 9110, 13.1.2): proxies that compress mark tags as weak. */
const hasIt = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
