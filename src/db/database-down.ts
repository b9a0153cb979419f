import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
} from 'slonik'

const downErrors = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
] as const

/**
 * Network errors, and the codes that Postgres returns while it starts, stops or has no connection left (PostgreSQL, 'Error
 * Codes').
 */
const downCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006'],
])

/** Whether an error, or its cause, means that the database cannot be reached: then the answer is 503, not 500. */
export const isDatabaseDown = (error: unknown): boolean => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (downErrors.some((down) => cause instanceof down)) return true
    if (downCodes.has(String((cause as { code?: unknown }).code))) return true
  }
  return false
}
