import { setTimeout as wait } from 'node:timers/promises'
import { clientDelays } from '#domain/retry.ts'
import { Problem } from '#errors.ts'

/** How patiently requests are made. Milliseconds; a test may be less patient. */
export type Pace = { delays: readonly number[]; attemptMs: number }

/** Three further attempts after 200 ms, 800 ms and 2 s, each bounded by 30 s (docs/interface.md, 'Errors'). */
export const specifiedPace: Pace = { delays: clientDelays, attemptMs: 30_000 }

/** Whether the service could not be reached, or could not answer. A later attempt may get past that. */
export const isUnreachable = (error: unknown): error is Problem => error instanceof Problem && error.status >= 500

/** `fetch` says only that it failed. The reason is in the cause, sometimes two deep. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

const asProblem = (what: string, error: unknown, signal: AbortSignal, attemptMs: number): Problem => {
  if (error instanceof Problem) return error
  const reason = signal.aborted ? `no answer within ${attemptMs / 1000} s` : reasonOf(error)
  return new Problem('unavailable', `${what}: ${reason}`, { cause: error })
}

/**
 * Makes an attempt, and another one after each that got no answer or a 5xx. Throws the last attempt's problem, or at once the
 * problem of an answer that will not change (a 4xx).
 */
export const withAttempts = async <T>(
  what: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  { pace, onRetry }: { pace: Pace; onRetry: (message: string) => void },
): Promise<T> => {
  for (const delay of [...pace.delays, undefined]) {
    const signal = AbortSignal.timeout(pace.attemptMs)
    try {
      return await attempt(signal)
    } catch (error) {
      const problem = asProblem(what, error, signal, pace.attemptMs)
      if (!isUnreachable(problem) || delay === undefined) throw problem
      onRetry(`${problem.message}; trying again in ${delay} ms`)
      await wait(delay)
    }
  }
  throw new Error('unreachable: the last attempt returns or throws')
}
