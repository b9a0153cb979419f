import { inOrder, type ReportedStack, type RunReport } from '../run-report.ts'
import { many } from '../texts/change-counts.ts'
import { link } from '../texts/markdown.ts'
import { takesAway } from '../texts/reading-order.ts'
import { type Column, key, naming, outcome, stacksTable, wave } from './stacks-table.ts'

/** Of more stacks than these nobody reads every row: 25 are a screen. */
const foldedFrom = 25

/** A row of many costs the room of a small plan: what is said elsewhere is left out. */
const brief = [wave, key, outcome]

/** Those that are blocked wait for one of these. */
const needsSomebody = ({ status, locked_by }: ReportedStack): boolean =>
  ['failed', 'unknown', 'unconfirmed'].includes(status) || locked_by !== undefined

/** Those that stand first: of what is taken away, only where that leaves them few enough to be read. */
const firstOf = (stacks: readonly ReportedStack[]): ReportedStack[] => {
  const first = stacks.filter((stack) => needsSomebody(stack) || takesAway(stack))
  return first.length <= foldedFrom ? first : stacks.filter(needsSomebody)
}

/**
 * The table of the stacks in at most `room` characters. Of many, those that somebody has to look at stand first, with those that lose something; all of them
 * are below, opened by a click, in few words: 18 that failed were found among 300 only by reading every row.
 */
export const foldedTable = (report: RunReport, columns: readonly Column[], room: number): string => {
  const { stacks } = report
  if (stacks.length <= foldedFrom) return stacksTable(report, columns, room)
  const first = firstOf(stacks)
  if (first.length === stacks.length) return stacksTable(report, brief, room)
  const open = `<details><summary>All ${stacks.length} stacks, by wave</summary>\n\n`
  const end = '\n\n</details>'
  const head =
    first.length === 0 ? '' : `${stacksTable({ ...report, stacks: first }, columns, Math.floor(room / 2))}\n\n`
  return `${head}${open}${briefly(report, room - head.length - open.length - end.length)}${end}`
}

/** A row for each stack that has changes or may get some; the others are named. */
const briefly = (report: RunReport, room: number): string => {
  const { run } = report
  const stacks = inOrder(report.stacks)
  const quiet = stacks.filter(({ status }) => status === 'noop')
  if (quiet.length === 0) return stacksTable(report, brief, room)
  const sentence = `${link(many(quiet.length, 'stack'), `${run.html_url}?status=noop`)} without changes`
  const loud = stacks.filter(({ status }) => status !== 'noop')
  const rows = loud.length === 0 ? '' : stacksTable({ run, stacks: loud }, brief, room - Math.floor(room / 8))
  return `${rows}${rows === '' ? '' : '\n\n'}${naming(sentence, quiet, room - rows.length - 2)}`
}
