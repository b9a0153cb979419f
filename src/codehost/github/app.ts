import { App } from '@octokit/app'
import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { trimEndOf } from '#domain/texts/trim.ts'
import type { Log } from '#log.ts'
import { type GitHubMetrics, requestMetrics } from './request-metrics.ts'

export type GitHubOptions = {
  appId: number | string
  /** PEM, as GitHub hands it out (PKCS#1) or PKCS#8. */
  privateKey: string
  /** `https://HOST/api/v3` on GitHub Enterprise Server. */
  apiUrl?: string
  fetch?: typeof fetch
  metrics?: GitHubMetrics
  log: Log
  /** Keep GitHub's pace: a write a second, a comment every 3 s, per installation. Off only towards the emulator. */
  paced?: boolean
  timeoutMs?: number
  /** Waits between tries are 1 and 4 times this. */
  retryBaseMs?: number
}

/*
 * Three tries of 10 s and waits of 1.25 s together: a runner waits 30 s for one answer (docs/interface.md, 'Errors'), and more
 * would not fit. After that the queue's own retries take over.
 */
const tries = { timeoutMs: 10_000, retries: 2, retryBaseMs: 250 }

/**
 * The GitHub App and its client: it caches tokens for their hour, checks that bodies are whole, and leaves waiting to the
 * queue.
 */
export const createApp = (options: GitHubOptions): App =>
  new App({ appId: options.appId, privateKey: options.privateKey, Octokit: createClient(options) })

export type ClientOptions = Omit<GitHubOptions, 'appId' | 'privateKey'>

/** A client of GitHub's API, still without a caller's credentials. */
export const createClient = (options: ClientOptions) => {
  const { log } = options
  const common = {
    baseUrl: trimEndOf(options.apiUrl ?? 'https://api.github.com', '/'),
    userAgent: 'svc',
    log: { debug: () => {}, info: () => {}, warn: warnTo(log), error: warnTo(log) },
    request: { fetch: wholeFetch(options.fetch ?? fetch, options.timeoutMs ?? tries.timeoutMs) },
    retry: {
      retries: tries.retries,
      retryAfterBaseValue: options.retryBaseMs ?? tries.retryBaseMs,
      // The plugin's own list and 429: the queue waits out a limit (RetryAfter); a job that holds a lease does not.
      doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451],
    },
  }
  return Octokit.plugin(apiVersion, requestMetrics(options.metrics, log), retry, throttling).defaults(
    (given: { auth?: unknown }) => ({
      ...common,
      ...given,
      throttle: throttle(options.paced ?? true, laneOf(given.auth)),
    }),
  )
}

const warnTo = (log: Log) => (message: string) => log.warn({ from: 'octokit' }, message)

/** Without the header GitHub answers in whichever version is current for the app ('API versions'). */
const apiVersion = (octokit: Octokit): void => {
  octokit.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = '2022-11-28'
  })
}

/** Each installation's writes wait in a lane of their own: in the plugin's default lane one busy installation would delay all. */
const laneOf = (auth: unknown): string => {
  const installation = (auth as { installationId?: number } | undefined)?.installationId
  return installation === undefined ? 'app' : `installation-${installation}`
}

const throttle = (enabled: boolean, id: string) => ({
  enabled,
  id,
  onRateLimit: () => false,
  onSecondaryRateLimit: () => false,
})

const bodiless = new Set([204, 205, 304])

/**
 * A fetch whose deadline covers the body too, and that checks that the body arrived whole: Octokit reads a body cut short as
 * an empty answer with status 200, and 'no check runs yet' is how a second one is made.
 */
const wholeFetch =
  (fetching: typeof fetch, timeoutMs: number): typeof fetch =>
  async (url, init) => {
    const response = await fetching(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const body = await response.arrayBuffer()
    const { status, statusText, headers } = response
    return new Response(bodiless.has(status) ? null : body, { status, statusText, headers })
  }
