import type { ErrorBody } from '#api/error-body.ts'

type Code = ErrorBody['code'] | 'unreachable'

/** An answer that is an error, or no answer (`unreachable`, status 0). `message` is for a person. */
export class ApiProblem extends Error {
  readonly code: Code
  readonly status: number
  /** By which the service's log has it; absent where the service was not reached. */
  readonly requestId: string | undefined
  readonly details: ErrorBody['details']

  constructor(given: {
    code: Code
    status: number
    message: string
    requestId?: string
    details?: ErrorBody['details']
  }) {
    super(given.message)
    this.code = given.code
    this.status = given.status
    this.requestId = given.requestId
    this.details = given.details
  }
}

const codes: readonly string[] = [
  ...['invalid', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
  ...['refused', 'superseded', 'locked', 'internal', 'unavailable'],
]

const isBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  codes.includes(String(body.code)) &&
  'message' in body &&
  typeof body.message === 'string'

/** What a proxy in between answers has no body of ours: its status says what there is to say. */
const strangersCode = (status: number): Code => {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  return status >= 500 ? 'unavailable' : 'invalid'
}

/** An answer of status 400 or more, as a problem. */
export const problemOf = (status: number, body: unknown, requestId: string | undefined): ApiProblem => {
  const own = isBody(body) ? body : undefined
  return new ApiProblem({
    code: own?.code ?? strangersCode(status),
    status,
    message: own?.message ?? `something between this page and the service answered with status ${status}`,
    ...(requestId === undefined ? {} : { requestId }),
    ...(own?.details === undefined ? {} : { details: own.details }),
  })
}

export const unreachable = (): ApiProblem =>
  new ApiProblem({ code: 'unreachable', status: 0, message: 'the service does not answer' })

/** Whatever was thrown, as a problem: what is none of the API's is a fault of this page. */
export const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem
    ? error
    : new ApiProblem({ code: 'internal', status: 0, message: error instanceof Error ? error.message : String(error) })

/** What was asked for is not there for who asks, or not any more: what was known of it is not theirs to see. */
export const isGone = ({ code }: ApiProblem): boolean => code === 'not_found' || code === 'forbidden'

/** Asking again may help: nobody answered, or somebody who could not just now. */
export const isPassing = ({ code }: ApiProblem): boolean =>
  code === 'unreachable' || code === 'unavailable' || code === 'internal'

/**
 * What was to be done may have been done all the same: the answer was lost, came too late, or is of somebody in between. Of the service's
 * own it is any that is its fault: its database may go away in the moment of a commit.
 */
export const isUncertain = ({ status }: ApiProblem): boolean => status === 0 || status >= 500
