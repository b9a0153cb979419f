import type { ReportedStack, RunReport } from '../run-report.ts'
import { type Column, stacksTable } from './stacks-table.ts'

/** Of more stacks than these nobody reads every row: 25 are a screen. */
const foldedFrom = 25

/** Those that are blocked wait for one of these. */
const needsSomebody = ({ status, locked_by }: ReportedStack): boolean =>
  ['failed', 'unknown', 'unconfirmed'].includes(status) || locked_by !== undefined

/** What nobody should overlook before it is applied. */
const takesAway = ({ summary }: ReportedStack): boolean =>
  summary !== undefined && summary.destroys + summary.replaces > 0

/** Those that stand first: of what is taken away, only where that leaves them few enough to be read. */
const firstOf = (stacks: readonly ReportedStack[]): ReportedStack[] => {
  const first = stacks.filter((stack) => needsSomebody(stack) || takesAway(stack))
  return first.length <= foldedFrom ? first : stacks.filter(needsSomebody)
}

/**
 * The table of the stacks in at most `room` characters. Of many, those that somebody has to look at stand first, with those that lose something; all of them
 * are below, opened by a click: 18 that failed were found among 300 only by reading every row.
 */
export const foldedTable = (report: RunReport, columns: readonly Column[], room: number): string => {
  const { stacks } = report
  const first = firstOf(stacks)
  if (stacks.length <= foldedFrom || first.length === stacks.length) return stacksTable(report, columns, room)
  const open = `<details><summary>All ${stacks.length} stacks, by wave</summary>\n\n`
  const end = '\n\n</details>'
  const head =
    first.length === 0 ? '' : `${stacksTable({ ...report, stacks: first }, columns, Math.floor(room / 2))}\n\n`
  return `${head}${open}${stacksTable(report, columns, room - head.length - open.length - end.length)}${end}`
}
