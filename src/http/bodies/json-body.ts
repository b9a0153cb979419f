import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isNestedDeeper, parseJsonText } from '#domain/json-text.ts'
import { limits } from '#domain/limits.ts'
import { invalid } from '#errors.ts'
import { wrongContentType } from '../problem.ts'

/**
 * Bodies are exactly one JSON value, under `application/json` or without a content type (docs/interface.md, 'Conventions').
 * `read` turns the text into the body that the route's handler gets.
 */
export const takeJsonBodies = (app: FastifyInstance, read: (text: string) => unknown = parseJson): void => {
  app.removeAllContentTypeParsers()
  const take = async (request: FastifyRequest, source: Readable): Promise<unknown> =>
    read(await app.readText(request, source))
  app.addContentTypeParser('application/json', take)
  // fastify calls this for other content types, and for none
  app.addContentTypeParser('*', async (request: FastifyRequest, source: Readable) => {
    refuseOtherType(request)
    return take(request, source)
  })
}

/** A content type says what a body is: of none it says nothing, though some clients send it (`curl --data ''`). */
export const refuseOtherType = ({ headers }: FastifyRequest): void => {
  if ('content-type' in headers && Number(headers['content-length']) !== 0) throw wrongContentType()
}

const parseJson = (text: string): unknown => {
  if (text.trim() === '') throw emptyBody()
  // 1 MB of brackets takes 90 ms to parse, and 5 ms to look through
  if (isNestedDeeper(text, limits.bodyLevels))
    throw invalid('body', `must be nested at most ${limits.bodyLevels} levels deep`)
  const parsed = parseJsonText(text)
  if (!parsed.ok) throw invalid('body', parsed.reason)
  return parsed.value
}

/** For routes with an optional body. */
export const parseOptionalJson = (text: string): unknown => (text.trim() === '' ? undefined : parseJson(text))

export const emptyBody = (): Error => invalid('body', 'is empty: must be one JSON value')
