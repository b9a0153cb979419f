import { setTimeout as wait } from 'node:timers/promises'
import type { Octokit } from '@octokit/core'
import pLimit from 'p-limit'

/**
 * What GitHub asks of its clients (REST, 'Best practices for using the REST API'): no crowd of requests at once, writes a second apart, and
 * more between those that notify people. Per installation: one busy installation delays no other.
 */
const most = 10
const writeGapMs = 1000
const noticeGapMs = 3000

/** What GitHub sends mail about. */
const notices: ReadonlySet<string> = new Set([
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues',
])

/**
 * Octokit plugin that keeps GitHub's pace, in a lane for each installation. By the monotonic clock: Octokit's own plugins for this and
 * for retries wait by Bottleneck, which counts by the machine's clock. Once that was set an hour back, every request waited an hour.
 */
export const pacing = (): ((octokit: Octokit, options: { auth?: unknown }) => void) => {
  const lanes = new Map<unknown, Lane>()
  return (octokit, { auth }) => {
    const installation = (auth as { installationId?: number } | undefined)?.installationId
    const lane = lanes.get(installation) ?? createLane()
    lanes.set(installation, lane)
    octokit.hook.wrap('request', async (request, options) => {
      // a call that has its turn may need the token first
      if (options.url.endsWith('/access_tokens')) return request(options)
      const isWrite = options.method !== 'GET' && options.method !== 'HEAD'
      if (isWrite) await lane.write()
      if (notices.has(`${options.method} ${options.url}`)) await lane.notice()
      return lane.slots(() => request(options))
    })
  }
}

type Lane = { write: () => Promise<void>; notice: () => Promise<void>; slots: ReturnType<typeof pLimit> }

const createLane = (): Lane => ({
  write: createTurns(writeGapMs),
  notice: createTurns(noticeGapMs),
  slots: pLimit(most),
})

/** Turns that are so far apart, in the order in which they were asked for. */
const createTurns = (gapMs: number): (() => Promise<void>) => {
  let next = 0
  return async () => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + gapMs
    if (at > now) await wait(at - now)
  }
}
