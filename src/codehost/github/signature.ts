import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether `X-Hub-Signature-256` is GitHub's for exactly these bytes (GitHub, 'Validating webhook deliveries'): the raw body,
 * since JSON parsed and printed again has other bytes. Compared in constant time.
 */
export const verifySignature = (secret: string, rawBody: Buffer, header: string | undefined): boolean => {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1]
  if (given === undefined || secret === '') return false
  return timingSafeEqual(createHmac('sha256', secret).update(rawBody).digest(), Buffer.from(given, 'hex'))
}
