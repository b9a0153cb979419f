import { Problem } from '#errors.ts'
import { Refusal } from './refusal.ts'

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

/**
 * For work that comes again by itself every ten minutes: a code host that cannot be reached is asked again in a minute. After an outage of half an
 * hour the delays of a failed job would put the next attempt off for two hours more.
 */
export const soonAgain = (error: unknown): never => {
  if (!(error instanceof Problem) || error instanceof Refusal || error instanceof RetryAfter) throw error
  throw new RetryAfter(error.message, 60, error)
}
