import type { RunHead } from '../../live/run-store.ts'
import { brokenStatuses, isOpen } from '../../status/phases.ts'
import { sumOf, type Tally } from './tally.ts'

/** Where a run is, for the sentences on its cards and above its waves. */
export type Phase = {
  mode: RunHead['mode']
  /** The wave that is being applied, from 0; undefined where waves do not take turns, or none is under way. */
  wave: number | undefined
  /** An apply that sends nothing out any more: after a failure, or for a newer commit. */
  drains: 'failure' | 'newer commit' | undefined
  isOver: boolean
}

/** Plans and checks for drift run side by side: only applies go wave by wave. */
export const phaseOf = (run: RunHead, tally: Tally): Phase => {
  const isApplying = run.mode === 'apply' && run.status === 'applying'
  return {
    mode: run.mode,
    wave: isApplying ? run.current_wave : undefined,
    drains: isApplying ? whyDraining(run, tally) : undefined,
    isOver: !isOpen(run.status),
  }
}

const whyDraining = (run: RunHead, { counts }: Tally): Phase['drains'] => {
  if (run.superseded_by !== undefined) return 'newer commit'
  return sumOf(counts, brokenStatuses) > 0 ? 'failure' : undefined
}
