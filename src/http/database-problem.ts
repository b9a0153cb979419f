import { type DatabaseTrouble, databaseTrouble } from '#db/database-trouble.ts'
import { Problem } from '#errors.ts'

const messages: Readonly<Record<DatabaseTrouble, string>> = {
  unreachable: 'the database cannot be reached',
  'read-only': 'the database takes no writes',
  full: 'the database has no room left',
  held: 'the database is busy: a row is held by another transaction',
  cancelled: 'the database is busy: a statement was cancelled',
  slow: 'the database is busy: a statement took too long',
}

/** In words for callers. */
export const messageOf = (trouble: DatabaseTrouble): string => messages[trouble]

/** A fail-over takes some seconds, and so does a transaction that holds a row. */
const retryAfter = 5

/** The 503 of an error that is the database's, and may be gone when the caller asks again. */
export const databaseProblem = (error: unknown): Problem | undefined => {
  const trouble = databaseTrouble(error)
  if (trouble === undefined) return undefined
  return new Problem('unavailable', `${messageOf(trouble)}: try again`, { cause: error, retryAfter })
}
