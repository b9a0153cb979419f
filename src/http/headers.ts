import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** 1 to 128 letters, digits and `. _ : / + = -`: what trace ids of others look like, and nothing that could forge a log line. */
const validId = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** The id of a request: a valid one that came with it, else a new UUID. */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given: IncomingHttpHeaders[string] = headers['x-request-id']
  return typeof given === 'string' && validId.test(given) ? given : randomUUID()
}

/** The id of a webhook's delivery, by which the code host lists it; whoever sends none or another thing has none. */
export const deliveryOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined => {
  const given = headers['x-github-delivery']
  return typeof given === 'string' && validId.test(given) ? given : undefined
}

/**
 * On every answer, JSON or not. The content security policy lets an answer load and run nothing, whatever a browser takes it
 * for; a page states what it needs itself.
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
