import type { FastifyInstance } from 'fastify'
import { invalid } from '#errors.ts'
import { wrongContentType } from './problem.ts'

/**
 * Bodies are exactly one JSON value, under `application/json` or no content type at all (spec, 'Conventions'). `read` turns
 * the text into what the route's handler gets as its body.
 */
export const takeJsonBodies = (app: FastifyInstance, read: (text: string) => unknown = parseJson): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    read(body),
  )
  // fastify comes here with other content types, and with none
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: { headers: object }, body: string) => {
    if ('content-type' in request.headers) throw wrongContentType()
    return read(body)
  })
}

const parseJson = (text: string): unknown => {
  if (text.trim() === '') throw emptyBody()
  // Postgres stores no U+0000 in texts: better refused here by name than there as an unexpected error
  if (text.includes('\\u0000') && nul.test(text)) throw invalid('body', 'must not hold the character U+0000')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid('body', `must be exactly one JSON value: ${(error as Error).message}`)
  }
}

/** An escaped U+0000, and not an escaped backslash before the letters u0000. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/

export const emptyBody = (): Error => invalid('body', 'is empty: must be one JSON value')
