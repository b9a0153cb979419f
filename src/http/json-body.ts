import type { FastifyInstance } from 'fastify'
import { parseJsonText } from '#domain/json-text.ts'
import { invalid } from '#errors.ts'
import { wrongContentType } from './problem.ts'

/**
 * Bodies are exactly one JSON value, under `application/json` or without a content type (docs/interface.md, 'Conventions').
 * `read` turns the text into the body that the route's handler gets.
 */
export const takeJsonBodies = (app: FastifyInstance, read: (text: string) => unknown = parseJson): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    read(body),
  )
  // fastify calls this for other content types, and for none
  app.addContentTypeParser('*', { parseAs: 'string' }, async (request: { headers: object }, body: string) => {
    if ('content-type' in request.headers) throw wrongContentType()
    return read(body)
  })
}

const parseJson = (text: string): unknown => {
  if (text.trim() === '') throw emptyBody()
  const parsed = parseJsonText(text)
  if (!parsed.ok) throw invalid('body', parsed.reason)
  return parsed.value
}

/** For routes with an optional body. */
export const parseOptionalJson = (text: string): unknown => (text.trim() === '' ? undefined : parseJson(text))

export const emptyBody = (): Error => invalid('body', 'is empty: must be one JSON value')
