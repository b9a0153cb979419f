import type { ReportedStack } from '../run-report.ts'

type Told = Pick<ReportedStack, 'status' | 'summary'>

/** What nobody should overlook before it is applied. */
export const takesAway = ({ summary }: Told): boolean =>
  summary !== undefined && summary.destroys + summary.replaces > 0

/** What is read first of a run: what failed, then what takes something away, then the rest. */
export const readingRank = (stack: Told): 0 | 1 | 2 => {
  if (stack.status === 'failed') return 0
  return takesAway(stack) ? 1 : 2
}
