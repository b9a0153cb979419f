import { z } from 'zod'
import type { Outcome } from './events.ts'

const amount = z.int().nonnegative()

/**
 * The stacks of one wave by status. A run keeps these counts instead of its rows, so a result costs the same in a run of ten
 * stacks and in one of ten thousand. `total` is the sum of all the others.
 */
export const Tally = z.strictObject({
  total: amount,
  open: amount,
  succeeded: amount,
  failed: amount,
  unknown: amount,
  blocked: amount,
  skipped: amount,
  unconfirmed: amount,
  superseded: amount,
})
export type Tally = z.infer<typeof Tally>

export type Settled = { wave: number; outcome: Outcome; from?: 'unknown' | undefined; stacks?: number | undefined }

/** Fresh tallies from the number of stacks in each wave: all open. */
export const openTallies = (totals: readonly number[]): Tally[] =>
  totals.map((total) => ({
    total,
    open: total,
    succeeded: 0,
    failed: 0,
    unknown: 0,
    blocked: 0,
    skipped: 0,
    unconfirmed: 0,
    superseded: 0,
  }))

const origin = (settled: Settled): 'open' | 'unknown' => settled.from ?? 'open'

/** How many stacks a message settles: those that are told together settle together. */
export const settling = ({ stacks = 1 }: Settled): number => stacks

/** Whether there are still such stacks to settle: any other message went astray and must not distort the counts. */
export const countable = (tallies: readonly Tally[], settled: Settled): boolean =>
  (tallies[settled.wave]?.[origin(settled)] ?? 0) >= settling(settled)

/** The tallies after stacks of a wave have settled; the other waves are shared with the old ones, not copied. */
export const count = (tallies: readonly Tally[], settled: Settled): Tally[] => {
  const tally = tallies[settled.wave]
  if (tally === undefined) return [...tallies]
  const from = origin(settled)
  const less = { ...tally, [from]: tally[from] - settling(settled) }
  return tallies.with(settled.wave, { ...less, [settled.outcome]: less[settled.outcome] + settling(settled) })
}

/** Every open stack becomes superseded, as the rows do on `supersedeStacks` without telling the run. */
export const supersedeOpen = (tallies: readonly Tally[]): Tally[] =>
  tallies.map((tally) => ({ ...tally, open: 0, superseded: tally.superseded + tally.open }))

/** The number of stacks in this status over all waves. */
export const sum = (tallies: readonly Tally[], field: keyof Tally): number => {
  let all = 0
  for (const tally of tallies) all += tally[field]
  return all
}

/** The first wave from `start` on that still has open stacks, or -1. */
export const openWave = (tallies: readonly Tally[], start: number): number =>
  tallies.findIndex((tally, wave) => wave >= start && tally.open > 0)
