import type { StackStatus } from '#api/runs/run-stack.ts'
import type { RunRow } from '../../api/run-types.ts'
import type { Rows } from '../../live/changes.ts'

export type Counts = Partial<Record<StackStatus, number>>

export type WaveTally = {
  /** From 0, as the API counts. */
  wave: number
  rows: readonly RunRow[]
  counts: Counts
}

/** The stacks of a run by status and by wave: counted here, so that the numbers are always those of the cards beside them. */
export type Tally = { total: number; counts: Counts; waves: readonly WaveTally[] }

export const countsOf = (rows: Iterable<RunRow>): Counts => {
  const counts: Counts = {}
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const tallyOf = (rows: Rows): Tally => {
  const waves = Map.groupBy(rows.values(), ({ wave }) => wave)
  return {
    total: rows.size,
    counts: countsOf(rows.values()),
    waves: [...waves].sort(([a], [b]) => a - b).map(([wave, some]) => ({ wave, rows: some, counts: countsOf(some) })),
  }
}

/** How many there are of any of these statuses. */
export const sumOf = (counts: Counts, statuses: readonly StackStatus[]): number =>
  statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
