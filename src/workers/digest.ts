import { createHash } from 'node:crypto'

/** By which what was sent is known again. */
export const digestOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')
