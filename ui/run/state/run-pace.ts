import type { Pace } from '../../live/rhythm.ts'
import type { RunHead } from '../../live/run-store.ts'

/** How often a run is looked at again: each second while it moves, and now and then once it is over, since results may come late. */
export const runPace = ({ status, finished_at }: Pick<RunHead, 'status' | 'finished_at'>): Pace => {
  if (finished_at !== undefined || status === 'superseded') return 'over'
  return status === 'pending' ? 'waiting' : 'moving'
}
