import { createHmac } from 'node:crypto'

/** What a session is stored under: useless to who reads the table, and gone with the key (spec, SVC_SESSION_KEY). */
export const sessionHash = (sessionKey: Buffer, token: string): string =>
  createHmac('sha256', sessionKey).update(`session\0${token}`).digest('hex')
