import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it came over the line: its path and query are not decoded. */
export type SignedRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

export type Identity = { accessKeyId: string; secretAccessKey: string; region: string }

/** The error code of S3 for a request that is not what its owner signed; undefined if it is. */
export type SignatureProblem =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch'

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/**
 * Checks an Authorization header of Signature Version 4 (Amazon S3 API reference, 'Signature Calculations for the Authorization
 * Header: Transferring Payload in a Single Chunk'), written from that page and not from a client's code.
 */
export const signatureProblem = (
  { method, url, headers, body }: SignedRequest,
  identity: Identity,
  now: Date,
): SignatureProblem | undefined => {
  const parsed = authorization.exec(headers.authorization ?? '')
  if (!parsed) return headers.authorization === undefined ? 'AccessDenied' : 'AuthorizationHeaderMalformed'
  const [, keyId = '', day = '', region = '', service = '', signedHeaders = '', signature = ''] = parsed
  const names = signedHeaders.split(';')
  const time = headers['x-amz-date'] ?? ''
  const payload = headers['x-amz-content-sha256'] ?? ''
  // an unsigned header could be changed on the way: the host and every header of Amazon's must be signed
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!mustBeSigned.every((name) => names.includes(name))) return 'AccessDenied'
  if (region !== identity.region || service !== 's3' || !time.startsWith(day)) return 'AuthorizationHeaderMalformed'
  if (keyId !== identity.accessKeyId) return 'InvalidAccessKeyId'
  if (!(Math.abs(+now - timeOf(time)) <= 15 * 60_000)) return 'RequestTimeTooSkewed'
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const canonical = [
    method,
    url.split('?')[0],
    canonicalQuery(url.split('?')[1] ?? ''),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (key, part) => hmac(key, part),
    `AWS4${identity.secretAccessKey}`,
  )
  const right = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))
  return right ? undefined : 'SignatureDoesNotMatch'
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** `20130524T000000Z`, in milliseconds. */
const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&')
