import type { Run } from '../api/runs.ts'
import { many } from '../parts/words.ts'
import { sumOf } from '../run/state/tally.ts'
import { brokenStatuses } from '../status/phases.ts'

export type Wave = NonNullable<Run['by_wave']>[number]

type Standing = Pick<Run, 'mode' | 'status' | 'current_wave' | 'superseded_by' | 'counts' | 'by_wave'>

/** How many stacks of a wave there are. */
export const sizeOf = ({ counts }: Wave): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const isDraining = ({ superseded_by: newer, counts = {} }: Standing): boolean =>
  newer !== undefined || sumOf(counts, brokenStatuses) > 0

/** Whether a wave is the one that is being applied. */
export const isNow = ({ mode, status, current_wave: current }: Standing, { wave }: Wave): boolean =>
  mode === 'apply' && status === 'applying' && wave === current

/** What is said below the bar of a wave: `wave 2 of 3, now`. Waves take turns in applies alone. */
export const waveWords = (run: Standing, wave: Wave): string => {
  const { mode, status, current_wave: current, by_wave: waves = [] } = run
  if (mode !== 'apply') return `${many(sizeOf(wave), 'stack')}, all at once`
  const name = `wave ${wave.wave + 1}`
  if (isNow(run, wave)) return `${name} of ${waves.length}, now`
  if (status !== 'applying' || wave.wave > current) return isDraining(run) ? `${name} does not start` : name
  return `${name} done`
}

/** The waves that are drawn: plans and checks for drift run side by side, so that theirs are one. */
export const wavesOf = ({ mode, counts = {}, by_wave: waves = [] }: Standing): readonly Wave[] =>
  mode === 'apply' || waves.length < 2 ? waves : [{ wave: 0, counts }]
