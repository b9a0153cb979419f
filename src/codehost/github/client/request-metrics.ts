import type { Octokit } from '@octokit/core'
import type { Log } from '#log.ts'

/** Where request metrics go (docs/interface.md, 'Metrics': github_requests_total and its two neighbours). */
export type GitHubMetrics = {
  /** `route` is a template such as `GET /repos/{owner}/{repo}/pulls/{pull_number}`; `status` a number, or `error`. */
  request(route: string, status: string, seconds: number): void
  rateLimitRemaining(requests: number): void
}

type Answer = { status: number; headers: Record<string, string | number | undefined> }

/**
 * Octokit plugin that counts every attempt. Listed before retries and pacing: it sees each try of a call, and its time
 * excludes the wait for a turn.
 */
export const requestMetrics =
  (metrics: GitHubMetrics | undefined, log: Log) =>
  (octokit: Octokit): void => {
    octokit.hook.wrap('request', async (request, options) => {
      const route = `${options.method} ${options.url}`
      const started = performance.now()
      const done = (answer: Answer | undefined): void => {
        const seconds = (performance.now() - started) / 1000
        const status = answer === undefined ? 'error' : String(answer.status)
        metrics?.request(route, status, seconds)
        const remaining = Number(answer?.headers['x-ratelimit-remaining'] ?? Number.NaN)
        if (Number.isFinite(remaining)) metrics?.rateLimitRemaining(remaining)
        log.debug({ route, status, seconds, cause: options.headers['x-request-id'] }, 'github request')
      }
      try {
        const response = await request(options)
        done(response)
        return response
      } catch (error) {
        done((error as { response?: Answer }).response)
        throw error
      }
    })
  }
