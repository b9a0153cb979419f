import { App } from '@octokit/app'
import { Octokit } from '@octokit/core'
import { trimEndOf } from '#domain/texts/trim.ts'
import type { Log } from '#log.ts'
import { pacing } from './pacing.ts'
import { type GitHubMetrics, requestMetrics } from './request-metrics.ts'
import { retries } from './retries.ts'

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

/** An app, with the tokens of its installations. */
export type GitHubApp = {
  clientOf(from: number | 'app'): Octokit | Promise<Octokit>
  /** Has the installation's next call use a new token; false if that was done a moment ago. */
  renewToken(installationId: number): Promise<boolean>
}

/** Who lacks a permission is refused each time, and a token more for each refusal would help nobody. */
const renewEveryMs = 60_000

/**
 * The GitHub App and its client, which checks that bodies are whole and leaves waiting to the queue. Octokit keeps tokens for an hour of
 * this machine's clock. Once that was set back it would keep them for longer, and try a refused one again until the clock has caught up,
 * so the app is made anew.
 */
export const createApp = (options: GitHubOptions): GitHubApp => {
  const Client = createClient(options)
  const make = () => ({
    app: new App({ appId: options.appId, privateKey: options.privateKey, Octokit: Client }),
    clock: clockAtStart(),
  })
  let made = make()
  const current = (): App => {
    if (Math.abs(clockAtStart() - made.clock) > mostDriftMs) made = make()
    return made.app
  }
  const renewedAt = new Map<number, number>()
  return {
    clientOf: (from) => (from === 'app' ? current().octokit : current().getInstallationOctokit(from)),
    renewToken: async (installationId) => {
      const now = performance.now()
      if (now - (renewedAt.get(installationId) ?? Number.NEGATIVE_INFINITY) < renewEveryMs) return false
      renewedAt.set(installationId, now)
      await current().octokit.auth({ type: 'installation', installationId, refresh: true })
      return true
    },
  }
}

/** When this process began, by the machine's clock: another time than before, if the clock was set. */
const clockAtStart = (): number => Date.now() - performance.now()
const mostDriftMs = 5000

export type ClientOptions = Omit<GitHubOptions, 'appId' | 'privateKey'>

/** A client of GitHub's API, still without a caller's credentials. */
export const createClient = (options: ClientOptions) => {
  const { log, paced = true, retryBaseMs = tries.retryBaseMs } = options
  const plugins = [
    apiVersion,
    requestMetrics(options.metrics, log),
    retries({ retries: tries.retries, retryBaseMs }),
    ...(paced ? [pacing()] : []),
  ]
  return Octokit.plugin(...plugins).defaults({
    baseUrl: trimEndOf(options.apiUrl ?? 'https://api.github.com', '/'),
    userAgent: 'svc',
    log: { debug: () => {}, info: () => {}, warn: warnTo(log), error: warnTo(log) },
    request: { fetch: wholeFetch(options.fetch ?? fetch, options.timeoutMs ?? tries.timeoutMs) },
  })
}

const warnTo = (log: Log) => (message: string) => log.warn({ from: 'octokit' }, message)

/** Without the header GitHub answers in whichever version is current for the app ('API versions'). */
const apiVersion = (octokit: Octokit): void => {
  octokit.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = '2022-11-28'
  })
}

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
