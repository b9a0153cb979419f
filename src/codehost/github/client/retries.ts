import { setTimeout as wait } from 'node:timers/promises'
import type { Octokit } from '@octokit/core'

/** Octokit reports a broken connection, or a deadline, as an HttpError with status 500. */
const isPassing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'HttpError' && 'status' in error && Number(error.status) >= 500

/**
 * Octokit plugin that tries again what failed at GitHub or on the way: so often, after 1 and 4 times a base in milliseconds. A call may ask
 * for fewer tries (`request.retries`). The answers below 500 are GitHub's word; the waits that it asks for are the queue's (RetryAfter): a
 * job that holds a lease does not wait for minutes.
 */
export const retries =
  ({ retries: most, retryBaseMs }: { retries: number; retryBaseMs: number }) =>
  (octokit: Octokit): void => {
    octokit.hook.wrap('request', async (request, options) => {
      const asked = (options.request as { retries?: number } | undefined)?.retries
      for (let tried = 0; ; tried += 1) {
        try {
          return await request(options)
        } catch (error) {
          if (!isPassing(error) || tried >= (asked ?? most)) throw error
        }
        await wait((tried + 1) ** 2 * retryBaseMs)
      }
    })
  }
