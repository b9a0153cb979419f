import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
} from 'slonik'

/**
 * What ails the database, where asking again may help: it cannot be reached, takes no writes, or has no room left; or only
 * this statement found a row held by another, was cancelled, or took too long.
 */
export type DatabaseTrouble = 'unreachable' | 'read-only' | 'full' | 'held' | 'cancelled' | 'slow'

const unreachable = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
] as const

/**
 * Network errors, and the codes that Postgres returns (PostgreSQL, 'Error Codes'): while it starts, stops or has no connection
 * left; after a fail-over that left us with a standby; for a full disk or memory; for a lock that did not come in time.
 */
const codes: Readonly<Record<DatabaseTrouble, readonly string[]>> = {
  unreachable: [
    ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
    ...['57P01', '57P02', '57P03', '57P05', '53300', '08000', '08003', '08006'],
  ],
  'read-only': ['25006'],
  full: ['53000', '53100', '53200', '53400', '58030'],
  held: ['55P03', '40001', '40P01'],
  cancelled: [],
  slow: [],
}

const troubleOfCode = new Map(
  (Object.entries(codes) as [DatabaseTrouble, string[]][]).flatMap(([trouble, all]) =>
    all.map((code) => [code, trouble] as const),
  ),
)

const troubleOfOne = (error: Error): DatabaseTrouble | undefined => {
  if (unreachable.some((kind) => error instanceof kind)) return 'unreachable'
  if (error instanceof StatementCancelledError) return 'cancelled'
  if (error instanceof StatementTimeoutError) return 'slow'
  return troubleOfCode.get(String((error as { code?: unknown }).code))
}

/** What an error, or its cause, says of the database; undefined if it is about something else. */
export const databaseTrouble = (error: unknown): DatabaseTrouble | undefined => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const trouble = troubleOfOne(cause)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

/** Whether the next statement will fare no better. */
export const isDatabaseDown = (error: unknown): boolean => {
  const trouble = databaseTrouble(error)
  return trouble === 'unreachable' || trouble === 'read-only' || trouble === 'full'
}
