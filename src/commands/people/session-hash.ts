import { createHmac } from 'node:crypto'

/**
 * The key a session is stored under: useless to a reader of the table, and void once the session key changes
 * (docs/interface.md, 'Sign-in').
 */
export const sessionHash = (sessionKey: Buffer, token: string): string =>
  createHmac('sha256', sessionKey).update(`session\0${token}`).digest('hex')
