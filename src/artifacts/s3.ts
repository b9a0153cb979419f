import type { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { type ArtifactStore, StoreOutage, StoreRefusal } from './port.ts'

export type S3Options = {
  bucket: string
  /** Without slashes at its ends; empty for none. */
  prefix: string
  /** Of an S3-compatible store; without it Amazon's own endpoint of the region. */
  endpoint?: string | undefined
  region?: string | undefined
}

/**
 * Objects in a bucket of S3 or of a compatible store. Credentials come from the chain of the AWS SDK: the environment, a web
 * identity's token, the container's or the machine's role. Not to be imported if no bucket is configured: the client takes a
 * tenth of a second of CPU or more to load, and 54 MB that are not given back.
 */
export const createS3Store = async (options: S3Options): Promise<ArtifactStore> => {
  const { bucket, prefix } = options
  const client = await connect(options)
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`)
  return {
    locate: (name) => `s3://${bucket}/${keyOf(name)}`,
    put: async (name, { body, contentType }, signal) => {
      const command = new PutObjectCommand({ Bucket: bucket, Key: keyOf(name), Body: body, ContentType: contentType })
      await inTime(putMs, signal, (until) => client.send(command, { abortSignal: until })).catch((error) =>
        tell(`writing s3://${bucket}/${keyOf(name)}`, error, signal),
      )
    },
    get: async (location, signal, stretch) => {
      const [, from, key] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(location) ?? []
      if (from === undefined || key === undefined) throw new Error(`'${location}' is not the location of an object`)
      const range = stretch && `bytes=${stretch.start}-${stretch.start + stretch.bytes - 1}`
      const command = new GetObjectCommand({ Bucket: from, Key: key, ...(range === undefined ? {} : { Range: range }) })
      try {
        const { Body, ContentLength } = await inTime(getMs, signal, (until) =>
          client.send(command, { abortSignal: until }),
        )
        return { body: Body as Readable, bytes: ContentLength }
      } catch (error) {
        // a missing bucket is 404 too, and that is not an expired object
        return nameOf(error) === 'NoSuchKey' ? undefined : tell(`reading ${location}`, error, signal)
      }
    },
  }
}

/** Time for a quarter of a megabyte over a slow line, and for the second attempt. */
const putMs = 30_000
/** To the first byte; after it, each 20 s must bring some. */
const getMs = 15_000

const connect = async ({ endpoint, region }: S3Options): Promise<S3Client> => {
  const client = new S3Client({
    ...(region === undefined ? {} : { region }),
    // a bucket's name in the host name needs DNS and certificates that self-hosted stores seldom have
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // checksums beside the signature, which covers the body, came in 2024: older stores answer them with 400 or 501
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 20_000 },
  })
  await client.config.region().catch((error) => {
    throw new Error('AWS_REGION: must be set to the region of SVC_ARTIFACT_BUCKET', { cause: error })
  })
  return client
}

/** Ends the request if no answer comes in time. What follows the head of the answer is not limited by it. */
const inTime = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  request: (until: AbortSignal) => Promise<T>,
): Promise<T> => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms / 1000} s`)), ms)
  try {
    return await request(signal ? AbortSignal.any([late.signal, signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/** Names for 'not now' with a status that means no elsewhere (S3 API reference, 'List of error codes'). */
const passing = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable', 'OperationAborted'])

const tell = (act: string, error: unknown, signal: AbortSignal | undefined): never => {
  if (signal?.aborted) throw error
  const { message, $metadata } = error as { message?: string; $metadata?: { httpStatusCode?: number } }
  const name = nameOf(error)
  const status = $metadata?.httpStatusCode
  // the client's own word if the store sent nothing but a code
  const known = [name === 'Error' ? '' : name, message === 'UnknownError' ? '' : message]
  const said = `${act}: ${known.filter(Boolean).join(': ')}`
  const isNo =
    name === 'CredentialsProviderError' ||
    (status !== undefined && status < 500 && status !== 408 && status !== 429 && !passing.has(name))
  throw isNo ? new StoreRefusal(said, { cause: error }) : new StoreOutage(said, { cause: error })
}
