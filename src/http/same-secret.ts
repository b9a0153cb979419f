import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are the same; the time taken shows neither where they differ nor how long they are. */
export const sameSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
