import { createHmac, timingSafeEqual } from 'node:crypto'

/** The value of `X-Hub-Signature-256`, as GitHub writes it. */
const written = /^sha256=([0-9a-f]{64})$/i

/** Whether a header could be the signature of some body: known before the body is read. */
export const isSignature = (header: unknown): boolean => typeof header === 'string' && written.test(header)

/**
 * Whether `X-Hub-Signature-256` is GitHub's for exactly these bytes (GitHub, 'Validating webhook deliveries'): the raw body,
 * since JSON parsed and printed again has other bytes. Compared in constant time.
 */
export const verifySignature = (secret: string, rawBody: Buffer, header: string | undefined): boolean => {
  const given = written.exec(header ?? '')?.[1]
  if (given === undefined || secret === '') return false
  return timingSafeEqual(createHmac('sha256', secret).update(rawBody).digest(), Buffer.from(given, 'hex'))
}
