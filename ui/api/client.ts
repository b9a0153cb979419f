import { basePath } from './base.ts'
import { learnClock } from './clock.ts'
import { problemOf, unreachable } from './errors.ts'

/** The parts of a path below /v1, each percent-encoded: `pathOf('runs', id, 'stacks', key)`. */
export const pathOf = (...parts: (string | number)[]): string =>
  `/v1/${parts.map((part) => encodeURIComponent(pathSegment(String(part)))).join('/')}`

/** Browsers drop a segment that is a dot, however it is encoded; the API takes `./` for it. */
const pathSegment = (part: string): string => (part === '.' ? './' : part)

type Params = Record<string, string | number | undefined>

/** With the parameters that have a value. */
export const withQuery = (path: string, params: Params): string => {
  const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** A question waits no longer for its answer: the next one is due long before. */
export const askingMs = 20_000

/**
 * What changes something waits until it is plain that no answer will come: the code host is asked for permission first, and rows are waited
 * for. Without an end, the dialog of a connection that is gone would stay for ever.
 */
const doingMs = 120_000

type Sending = RequestInit & { patienceMs?: number }

const send = async (
  path: string,
  { patienceMs = askingMs, ...init }: Sending,
  signal?: AbortSignal,
): Promise<Response> => {
  const sent = Date.now()
  const limit = AbortSignal.timeout(patienceMs)
  const signals = signal ? AbortSignal.any([signal, limit]) : limit
  const response = await fetch(`${basePath}${path}`, { credentials: 'same-origin', ...init, signal: signals }).catch(
    () => {
      signal?.throwIfAborted()
      throw unreachable()
    },
  )
  learnClock(response.headers.get('date'), sent, Date.now())
  if (response.ok) return response
  const requestId = response.headers.get('x-request-id') ?? undefined
  throw problemOf(response.status, await response.json().catch(() => undefined), requestId)
}

const bodyOf = async <T>(reading: Promise<T>, signal?: AbortSignal): Promise<T> =>
  reading.catch(() => {
    signal?.throwIfAborted()
    throw unreachable()
  })

/** GET of JSON. Throws an ApiProblem for every answer that is an error, and where there is none. */
export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  bodyOf((await send(path, {}, signal)).json() as Promise<T>, signal)

/** GET of JSON, with the text that it was. Throws as `getJson` does. */
export const getJsonText = async <T>(path: string, signal?: AbortSignal): Promise<{ text: string; body: T }> => {
  const reading = (await send(path, {}, signal)).text()
  return bodyOf(
    reading.then((text) => ({ text, body: JSON.parse(text) as T })),
    signal,
  )
}

/** GET of text. Throws as `getJson` does. */
export const getText = async (path: string, signal?: AbortSignal): Promise<string> =>
  bodyOf((await send(path, {}, signal)).text(), signal)

/**
 * POST of JSON. The service takes it with a session because the browser says that it comes from a page of the service's own
 * (docs/interface.md, 'People'). Throws as `getJson` does.
 */
export const postJson = async <T>(path: string, body?: unknown, patienceMs = doingMs): Promise<T> => {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await send(path, { method: 'POST', patienceMs, ...init })
  return response.status === 204 ? (undefined as T) : bodyOf(response.json() as Promise<T>)
}
