import { text } from 'node:stream/consumers'
import { trimEndOf } from '#domain/texts/trim.ts'
import type { Answer } from './answer.ts'

export type HttpRequest = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/**
 * Sends a request to a path exactly as it is written, and reads the answer whole. Not with `fetch`: it takes a segment `%2E` for `.`
 * and drops it, and `.` is the key of a stack in the repository's root. Redirects are not followed: a token is for one host.
 */
export const exchange = async (
  base: string,
  path: string,
  { method, headers, body, signal }: HttpRequest,
): Promise<Answer> => {
  const { protocol, hostname, port, pathname } = new URL(base)
  // Loaded here: the two take 30 ms of a start that may need neither.
  const { request: open } = await (protocol === 'https:' ? import('node:https') : import('node:http'))
  const request = open({
    protocol,
    // URL keeps the brackets of an IPv6 address; a socket does not want them.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port }),
    path: `${trimEndOf(pathname, '/')}${path}`,
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    signal,
  })
  return await new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const header = (name: string): string | undefined => {
        const value = response.headers[name]
        return Array.isArray(value) ? value[0] : value
      }
      text(response).then(
        (content) =>
          resolve({
            status: response.statusCode ?? 0,
            text: content,
            location: header('location'),
            requestId: header('x-request-id'),
          }),
        reject,
      )
    })
    request.end(body)
  })
}
