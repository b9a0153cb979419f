import { firstLine } from '#domain/texts/first-line.ts'
import { Problem } from '#errors.ts'
import { NoToken, Refusal } from '../../refusal.ts'
import { RetryAfter } from '../../retry-after.ts'

/*
 * Octokit reports a broken connection as an HttpError with status 500: nothing from 500 up is read as an answer. GitHub
 * documents 403 as well as 429 for its rate limits (REST, 'Rate limits').
 */

type HttpError = Error & {
  status: number
  request: { url: string }
  response?: { headers: Record<string, string | undefined> }
}

const isHttpError = (error: unknown): error is HttpError => error instanceof Error && error.name === 'HttpError'

/** Whether a call was refused for its token, which another one may not be: revoked, or made before a permission was given. */
export const isOfToken = (error: unknown): boolean => {
  if (!isHttpError(error) || error.request.url.endsWith('/access_tokens')) return false
  return error.status === 401 || (error.status === 403 && error.message.includes('not accessible by integration'))
}

/** What a failed call means to the caller; `act` says what was being done, in lower case. */
export const failureOf = (act: string, error: unknown): unknown => {
  if (!isHttpError(error)) return isAbort(error) ? unreachable(act, error) : error
  if (error.status >= 500) return unreachable(act, error)
  const wait = secondsToWait(error)
  if (wait !== undefined) return new RetryAfter(`github: ${act}: rate limited for ${wait} s`, wait, error)
  // A 404 for the token is about the installation: read as an answer about the thing asked for, it would mean 'not there'.
  if (error.request.url.endsWith('/access_tokens')) {
    return new NoToken(`github: ${act}: the installation gives no token: ${error.message}`, 403, error, saidBy(error))
  }
  return new Refusal(`github: ${act}: ${error.status} ${error.message}`, error.status, error, saidBy(error))
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')

const unreachable = (act: string, cause: unknown): Problem => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Problem('unavailable', `github: ${act}: ${firstLine(why)}`, { cause })
}

/** GitHub's sentence and what it says about single fields, without the address that Octokit appends. */
const saidBy = (error: HttpError): string => firstLine(error.message.replace(/ - https?:\/\/\S+$/, ''))

const leastWait = 60
const longestWait = 3600

const secondsToWait = (error: HttpError): number | undefined => {
  if (error.status !== 403 && error.status !== 429) return undefined
  const headers = error.response?.headers ?? {}
  const asked = Number(headers['retry-after'])
  if (asked > 0) return Math.min(asked, longestWait)
  if (headers['x-ratelimit-remaining'] === '0') {
    // By GitHub's own clock if it sends its time: ours may be off by more than the wait.
    const now = Date.parse(headers.date ?? '') || Date.now()
    const seconds = Math.ceil(Number(headers['x-ratelimit-reset']) - now / 1000) + 1
    return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), longestWait) : leastWait
  }
  return error.status === 429 || /secondary rate|rate limit exceeded/i.test(error.message) ? leastWait : undefined
}
