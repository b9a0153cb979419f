import type { z } from 'zod'
import { type ErrorCode, Problem } from '#errors.ts'
import type { Context, Flags } from '../command.ts'
import { type Answer, contentOf, problemOf } from '../service/answer.ts'
import { isUnreachable, specifiedPace, withAttempts } from '../service/attempts.ts'
import { exchange } from '../service/exchange.ts'
import { serviceAddress } from '../service/service.ts'
import { version } from '../version.ts'

/** Flags of the commands that ask the service for a person. */
export const apiFlags = {
  url: { says: "the service's address (SVC_URL)", value: 'URL' },
} as const satisfies Flags

/** What an answer says, checked against its contract; and the whole of it, as it came. */
export type Heard<T> = { content: T; raw: unknown }

export type Query = Readonly<Record<string, string | undefined>>

/** The service's API as a person asks it. Every call throws a Problem that says what to do about it. */
export type Api = {
  get<S extends z.ZodType>(path: string, schema: S, query?: Query): Promise<Heard<z.output<S>>>
  post<S extends z.ZodType>(path: string, schema: S, body: object): Promise<Heard<z.output<S>>>
  getText(path: string): Promise<string>
}

const keyOf = (apiKey: string | undefined): string => {
  if (apiKey === undefined)
    throw new Problem('unauthorized', "SVC_API_KEY: is not set: a key that 'svc-server api-key create' printed")
  // A header takes no other characters, and the key itself must not get into a message.
  if (!/^sk_[\x21-\x7e]+$/.test(apiKey))
    throw new Problem('unauthorized', 'SVC_API_KEY: is no API key of the service: those begin with sk_')
  return apiKey
}

const remedies: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'check SVC_API_KEY, and whether SVC_URL is the service that the key is for',
  unavailable: 'check SVC_URL, and whether this machine reaches it: network, proxy, certificate',
}

/** The same problem, with what to do about it. */
const withRemedy = (error: unknown): unknown => {
  if (!(error instanceof Problem)) return error
  const remedy = isUnreachable(error) && error.code !== 'unavailable' ? undefined : remedies[error.code]
  const { code, status, details, cause, message } = error
  if (remedy === undefined) return error
  return new Problem(code, `${message}: ${remedy}`, { status, cause, ...(details === undefined ? {} : { details }) })
}

const written = (path: string, query: Query): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

type Asked = { method: 'GET' | 'POST'; path: string; body?: string }

/** The API of the service that the environment and the flags name, with the key of the environment. */
export const apiFor = (
  values: { url?: string },
  { environment, output }: Pick<Context, 'environment' | 'output'>,
  onRetry: (message: string) => void = output.warn,
): Api => {
  const url = values.url ?? environment.serviceUrl
  if (url === undefined)
    throw new Problem('invalid', "SVC_URL: is not set: the service's address, such as https://svc.example.com")
  const base = serviceAddress(url)
  const headers = {
    authorization: `Bearer ${keyOf(environment.apiKey)}`,
    'user-agent': `svc/${version}`,
  }
  const ask = async ({ method, path, body }: Asked): Promise<{ what: string; answer: Answer }> => {
    const what = `${method} ${base}${path}`
    const typed = body === undefined ? headers : { ...headers, 'content-type': 'application/json' }
    const attempt = async (signal: AbortSignal): Promise<Answer> => {
      const answer = await exchange(base, path, {
        ...{ method, headers: typed, signal },
        ...(body === undefined ? {} : { body }),
      })
      if (answer.status < 200 || answer.status > 299) throw problemOf(what, answer)
      return answer
    }
    try {
      return { what, answer: await withAttempts(what, attempt, { pace: specifiedPace, onRetry }) }
    } catch (error) {
      throw withRemedy(error)
    }
  }
  const heard = async <S extends z.ZodType>(asked: Asked, schema: S): Promise<Heard<z.output<S>>> => {
    const { what, answer } = await ask(asked)
    return { content: contentOf(what, schema, answer), raw: JSON.parse(answer.text) }
  }
  return {
    get: (path, schema, query = {}) => heard({ method: 'GET', path: written(path, query) }, schema),
    post: (path, schema, body) => heard({ method: 'POST', path, body: JSON.stringify(body) }, schema),
    getText: async (path) => (await ask({ method: 'GET', path })).answer.text,
  }
}
