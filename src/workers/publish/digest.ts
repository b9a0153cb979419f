import { createHash } from 'node:crypto'

/** Identifies content that was sent before. */
export const digestOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')
