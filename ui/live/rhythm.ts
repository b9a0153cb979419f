import type { Failures } from './failures.ts'

/** What a view shows: something that moves by itself, waits for somebody, is over, or is a list of others. */
export type Pace = 'moving' | 'waiting' | 'over' | 'list'

const everyMs: Record<Pace, number> = { moving: 1000, waiting: 5000, over: 30_000, list: 10_000 }

/** The longest that a view goes without asking, however often it failed. */
const longestMs = 30_000

/**
 * Milliseconds until the next question, after so many failures in a row. They double, and are spread by a quarter either way: else
 * every tab of an installation would come back to a service that has just started in the same moment.
 */
export const nextDelay = (pace: Pace, failed: Pick<Failures, 'inARow' | 'spread'> | undefined): number => {
  const every = everyMs[pace]
  if (failed === undefined) return every
  const { inARow, spread } = failed
  return Math.min(longestMs, Math.max(every, 1000) * 2 ** Math.min(inARow, 6)) * (0.75 + spread / 2)
}
