import type { World } from '#emulator/world.ts'
import { GitHubError } from './errors.ts'

type Window = { used: number; resetAt: number }

/** Windows of the installations, by world: two emulators in one process do not share them. */
const windows = new WeakMap<World, Map<number | undefined, Window>>()

/** Unauthenticated and app requests have separate limits on GitHub; here they are shown and not counted. */
const windowOf = (world: World, installationId: number | undefined): Window => {
  const known = windows.get(world) ?? new Map<number | undefined, Window>()
  windows.set(world, known)
  const now = world.clock().getTime()
  const current = known.get(installationId)
  if (current && current.resetAt > now) return current
  const fresh = { used: 0, resetAt: now + 3_600_000 }
  known.set(installationId, fresh)
  return fresh
}

/** Counts one request of an installation; 403 with nothing remaining once its hour is used up. */
export const countRequest = (world: World, installationId: number): void => {
  const window = windowOf(world, installationId)
  if (window.used >= world.rateLimit) {
    throw new GitHubError(403, `API rate limit exceeded for installation ID ${installationId}.`)
  }
  window.used += 1
}

/** Limit, remaining, used and the epoch second of the reset; without an installation a window that nothing counts in. */
export const rateLimitFigures = (world: World, installationId: number | undefined) => {
  const { used, resetAt } = windowOf(world, installationId)
  return { limit: world.rateLimit, remaining: world.rateLimit - used, reset: Math.ceil(resetAt / 1000), used }
}

/** The five headers that every answer carries. */
export const rateLimitHeaders = (world: World, installationId: number | undefined): Record<string, string> => {
  const entries = Object.entries({ ...rateLimitFigures(world, installationId), resource: 'core' })
  return Object.fromEntries(entries.map(([name, value]) => [`x-ratelimit-${name}`, String(value)]))
}
