import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#errors.ts'
import { databaseProblem } from './database-problem.ts'

type Faulty = { code?: unknown; statusCode?: unknown; message?: unknown }

/** The problem that the client gets for a thrown value. An unexpected error shows nothing except that it is unexpected. */
export const problemOf = (error: unknown, bodyLimit?: number): Problem => {
  if (error instanceof Problem) return error
  const { code, statusCode, message } = (error ?? {}) as Faulty
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyLimit)
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new Problem('not_found', 'nothing has a name this long')
  if (code === 'FST_ERR_BAD_URL') return new Problem('invalid', 'the path has invalid percent-encoding')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongContentType()
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new Problem('invalid', String(message), { cause: error })
  }
  const ofDatabase = databaseProblem(error)
  if (ofDatabase) return ofDatabase
  return new Problem('internal', 'something went wrong in the service: its log has the details under this request id', {
    cause: error,
  })
}

export const bodyTooLarge = (bytes?: number): Problem => {
  const limit = bytes === undefined ? '' : ` of ${bytes / 1024 / 1024} MB`
  return new Problem('invalid', `the body is larger than this route's limit${limit}`, { status: 413 })
}

export const wrongContentType = (wanted = 'application/json'): Problem =>
  new Problem('invalid', `Content-Type: must be ${wanted}`, {
    details: { field: 'Content-Type', reason: `must be ${wanted}` },
  })

/** The body `{code, message, details?}` (docs/interface.md, 'Errors'). */
export const bodyOf = ({ code, message, details }: Problem): string =>
  JSON.stringify({ code, message, ...(details ? { details } : {}) })

/** Answers with a problem, bypassing the route's schemas; logs what the client does not see. */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply => {
  if (problem.status >= 500) {
    const { log } = request
    const { url: route } = request.routeOptions
    const { cause } = problem
    // in setup mode and during shutdown, each probe and scrape would log a stack that says no more than the message
    if (problem.code === 'unavailable') log.warn({ route, ...(cause ? { err: cause } : {}) }, problem.message)
    else log.error({ route, err: cause ?? problem }, 'unexpected error')
  }
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(problem.retryAfter)))
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="svc"')
  return reply.code(problem.status).type('application/json; charset=utf-8').send(bodyOf(problem))
}
