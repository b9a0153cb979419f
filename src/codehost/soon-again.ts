import { Problem } from '#errors.ts'
import { Refusal } from './refusal.ts'
import { RetryAfter } from './retry-after.ts'

/**
 * For work that comes again by itself every ten minutes: a code host that cannot be reached is asked again in a minute. After an outage of half an
 * hour the delays of a failed job would put the next attempt off for two hours more.
 */
export const soonAgain = (error: unknown): never => {
  if (!(error instanceof Problem) || error instanceof Refusal || error instanceof RetryAfter) throw error
  throw new RetryAfter(error.message, 60, error)
}
