/** The codes of the service's errors, each with its HTTP status (docs/interface.md, 'Errors'). */
export const statusOf = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  refused: 409,
  superseded: 409,
  locked: 423,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof statusOf

/** An answer that is an error: thrown by commands and routes, turned into `{code, message, details?}` in one place. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** Seconds after which asking again may help: the header Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; status?: number; cause?: unknown; retryAfter?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = options.status ?? statusOf[code]
    this.details = options.details
    this.retryAfter = options.retryAfter
  }
}

/** 400 `invalid` that names the field and what would be right. */
export const invalid = (field: string, reason: string): Problem =>
  new Problem('invalid', `${field}: ${reason}`, { details: { field, reason } })

/**
 * What an answer says of an error: an error that is not a `Problem` has no words for people, and may hold names that are not
 * theirs to see.
 */
export const reasonOf = (error: unknown): string =>
  error instanceof Problem ? error.message : 'an internal error, which is in its log'
