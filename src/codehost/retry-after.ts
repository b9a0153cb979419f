import { Problem } from '#errors.ts'

/**
 * The code host is up, but a rate limit is used up: ask again after `seconds`. For a caller of the API that is the 503 of
 * any unreachable code host; a queue delays its job by just that long, without counting an attempt.
 */
export class RetryAfter extends Problem {
  readonly seconds: number

  constructor(message: string, seconds: number, cause?: unknown) {
    super('unavailable', message, { cause, retryAfter: seconds })
    this.name = 'RetryAfter'
    this.seconds = seconds
  }
}
