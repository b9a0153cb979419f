import type { Run } from '../../api/run-types.ts'

type Warning = NonNullable<Run['warnings']>[number]

/** The newest first; those without a time are about the run's beginning, and come last. */
export const warningsInOrder = (warnings: readonly Warning[]): Warning[] =>
  warnings.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
