import type { RunRow } from '../api/run-types.ts'
import type { CountsOf } from '../parts/Counts.tsx'

type Summary = NonNullable<RunRow['summary']>

export const countsOfSummary = ({ adds, changes, destroys, replaces }: Summary): CountsOf => ({
  add: adds,
  change: changes,
  destroy: destroys,
  replace: replaces,
})
