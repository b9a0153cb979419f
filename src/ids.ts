import { v7 } from 'uuid'

/**
 * A new id that is greater than those made before: rows that are written together stand together in every index. At random, each
 * row would touch a page of its own, and Postgres logs a page whole when it is first touched.
 */
export const newId = (): string => v7()
