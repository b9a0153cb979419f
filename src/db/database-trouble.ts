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

/** Errors of a connection, which may be one to something else: a bucket, the code host. */
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])

/**
 * What Postgres returns (PostgreSQL, 'Error Codes'): while it starts, stops or has no connection left; after a fail-over that
 * left us with a standby; for a full disk or memory; for a lock that did not come in time.
 */
const codes: Readonly<Record<DatabaseTrouble, readonly string[]>> = {
  unreachable: ['57P01', '57P02', '57P03', '57P05', '53300', '08000', '08003', '08006'],
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

const codeOf = (error: Error): string => String((error as { code?: unknown }).code)

const toldBy = (error: Error): DatabaseTrouble | undefined => {
  if (unreachable.some((kind) => error instanceof kind)) return 'unreachable'
  if (error instanceof StatementCancelledError) return 'cancelled'
  if (error instanceof StatementTimeoutError) return 'slow'
  return troubleOfCode.get(codeOf(error))
}

const firstOfCauses = (
  error: unknown,
  read: (error: Error) => DatabaseTrouble | undefined,
): DatabaseTrouble | undefined => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const trouble = read(cause)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

/** What an error, or its cause, says of the database, in its own words; undefined if it is about something else. */
export const troubleToldByDatabase = (error: unknown): DatabaseTrouble | undefined => firstOfCauses(error, toldBy)

/** The same where all connections are the database's: without one, it cannot be reached. */
export const databaseTrouble = (error: unknown): DatabaseTrouble | undefined =>
  firstOfCauses(error, (each) => toldBy(each) ?? (networkCodes.has(codeOf(each)) ? 'unreachable' : undefined))

/** Whether the next statement will fare no better. */
export const isDatabaseDown = (error: unknown): boolean => {
  const trouble = databaseTrouble(error)
  return trouble === 'unreachable' || trouble === 'read-only' || trouble === 'full'
}
