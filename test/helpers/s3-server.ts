import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Identity, signatureProblem } from './signature-v4.ts'

/**
 * How requests are answered: as they should be; cut off at once; 503 SlowDown; never; the head and half of the body, then the end
 * of the connection; the same, then nothing.
 */
type Mood = 'well' | 'gone' | 'busy' | 'silent' | 'half' | 'stalled'

export type S3Server = {
  url: string
  /** By `bucket/key`. */
  objects: Map<string, { body: Buffer; type: string }>
  /** Changed as the story goes. Without `mayList` a missing object is refused, as S3 does it. */
  now: { mood: Mood; mayList: boolean; mayRead: boolean; secret: string }
  /** What was asked and answered: `GET bucket/key 200`; `left` if the client went away first. */
  asked: string[]
  /** How many requests have come and have no answer yet. */
  underWay(): number
  close(): Promise<void>
}

const region = 'eu-test-1'

/**
 * The part of S3 that stores objects: PUT and GET by path, of a stretch too, ETags, error bodies, and signatures that must be right. It reads the
 * documentation for itself, so a client's misreading does not confirm itself.
 */
export const startS3Server = async (identity: {
  accessKeyId: string
  bucket: string
  secret: string
}): Promise<S3Server> => {
  const { accessKeyId, bucket, secret } = identity
  const objects: S3Server['objects'] = new Map()
  const now: S3Server['now'] = { mood: 'well', mayList: true, mayRead: true, secret }
  const asked: string[] = []
  let underWay = 0
  const server = createServer(async (request, response) => {
    const name = `${request.method} ${decodeURIComponent(pathOf(request))}`
    underWay += 1
    response.once('close', () => {
      underWay -= 1
      asked.push(`${name} ${response.writableEnded ? response.statusCode : 'left'}`)
    })
    if (now.mood === 'gone') return request.socket.destroy()
    const body = await buffer(request)
    if (now.mood === 'silent') return
    if (now.mood === 'busy') return refuse(response, 503, 'SlowDown')
    const who: Identity = { accessKeyId, secretAccessKey: now.secret, region }
    const problem = signatureProblem(
      { method: request.method ?? '', url: request.url ?? '', headers: flat(request), body },
      who,
      new Date(),
    )
    if (problem) return refuse(response, problem === 'XAmzContentSHA256Mismatch' ? 400 : 403, problem)
    const place = decodeURIComponent(pathOf(request))
    if (!place.startsWith(`${bucket}/`)) return refuse(response, 404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      objects.set(place, { body, type: request.headers['content-type'] ?? '' })
      return response.writeHead(200, { etag: etagOf(body) }).end()
    }
    if (request.method !== 'GET') return refuse(response, 405, 'MethodNotAllowed')
    const object = objects.get(place)
    if (!now.mayRead || (!object && !now.mayList)) return refuse(response, 403, 'AccessDenied')
    if (!object) return refuse(response, 404, 'NoSuchKey')
    const wanted = stretchOf(object.body, request.headers.range)
    if (wanted.length === 0 && request.headers.range !== undefined) return refuse(response, 416, 'InvalidRange')
    const { length } = wanted
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'content-type': object.type,
      'content-length': length,
      etag: etagOf(object.body),
    })
    if (now.mood === 'well') return response.end(wanted)
    const cut = now.mood === 'half'
    return response.write(wanted.subarray(0, length / 2), () => cut && request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    now,
    asked,
    underWay: () => underWay,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Variables of a service or a client that uses it. */
export const s3Variables = (server: Pick<S3Server, 'url'>, bucket: string) => ({
  SVC_ARTIFACT_BUCKET: bucket,
  AWS_ENDPOINT_URL_S3: server.url,
  AWS_REGION: region,
})

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0]?.slice(1) ?? ''

/** The first of the bytes to the last, both counted (RFC 9110, 'Range'). */
const stretchOf = (body: Buffer, range: string | undefined): Buffer => {
  if (range === undefined) return body
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  return body.subarray(Number(first), Number(last) + 1)
}

const flat = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`

const refuse = (response: ServerResponse, status: number, code: string): void => {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>told by the test</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
