import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** 1 to 128 letters, digits and `. _ : / + = -`: fits the trace ids of other systems, and cannot forge a log line. */
const validId = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** The id of a request: the valid one that it came with, or a new UUID. */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given: IncomingHttpHeaders[string] = headers['x-request-id']
  return typeof given === 'string' && validId.test(given) ? given : randomUUID()
}

/**
 * The id of a webhook's delivery, as the code host lists it, for the log lines of the request; nothing if the header is missing
 * or invalid.
 */
export const deliveryOf = ({ headers }: Pick<IncomingMessage, 'headers'>): { delivery?: string } => {
  const given = headers['x-github-delivery']
  return typeof given === 'string' && validId.test(given) ? { delivery: given } : {}
}

/**
 * Headers of every answer, JSON or not. The content security policy keeps an answer from loading or running anything, whatever
 * a browser takes it for; a page names what it needs itself.
 */
export const headersFor = (requestId: string, isHttps: boolean): Record<string, string> => ({
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})
