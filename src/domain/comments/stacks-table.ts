import { many } from '#domain/texts/change-counts.ts'
import { code, link, plain } from '#domain/texts/markdown.ts'
import { checkSign, lockHolder, reasonsOf, signOf, stackOutcome } from '#domain/texts/stack-outcome.ts'
import { inOrder, type ReportedStack, type RunReport, stackUrl } from '../run-report.ts'

/** A column of a table of stacks: its heading, and its cell as Markdown. */
export type Column = { heading: string; cell: (report: RunReport, stack: ReportedStack) => string }

export const wave: Column = { heading: 'Wave', cell: (_, stack) => String(stack.wave + 1) }

export const key: Column = {
  heading: 'Stack',
  cell: ({ run }, stack) => link(code(stack.key), stackUrl(run, stack)),
}

export const result: Column = {
  heading: 'Result',
  cell: ({ run }, stack) =>
    `${signOf(run.mode, stack.status)} ${link(stackOutcome(run.mode, stack, code), stack.job_url)}`,
}

export const why: Column = { heading: 'Why', cell: (_, stack) => reasonsOf(stack, 3) }

export const environment: Column = {
  heading: 'Environment',
  cell: (_, stack) => (stack.environment === undefined ? '' : code(stack.environment)),
}

export const checks: Column = {
  heading: 'Checks',
  cell: (_, stack) =>
    stack.checks
      .map((check) => `${checkSign[check.status]} ${link(plain(check.name), check.details_url)}`)
      .join('<br>'),
}

export const lock: Column = {
  heading: 'Locked by',
  cell: (_, { locked_by }) => (locked_by === undefined ? '' : lockHolder(locked_by)),
}

/**
 * A table of the stacks by wave in at most `room` characters. If not all fit, stacks without changes are dropped first, then
 * the last ones; a line says how many and where they are. A column that is empty in every row is left out.
 */
export const stacksTable = (report: RunReport, wanted: readonly Column[], room: number): string => {
  const stacks = inOrder(report.stacks)
  const columns = wanted.filter(({ cell }) => stacks.some((stack) => cell(report, stack) !== ''))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const head = [line(columns.map(({ heading }) => heading)), line(columns.map(() => '---'))]
  const rowOf = (stack: ReportedStack): string => line(columns.map(({ cell }) => cell(report, stack)))
  return [...head, ...fitting(report, stacks, rowOf, room - head.join('\n').length - 1)].join('\n')
}

/** Makes no more rows than it needs: of 20,000 stacks some 500 fit. */
const fitting = (
  report: RunReport,
  stacks: readonly ReportedStack[],
  rowOf: (stack: ReportedStack) => string,
  room: number,
): string[] => {
  const all = rowsWithin(stacks, rowOf, room)
  if (all.length === stacks.length) return all
  const loud = stacks.filter(({ status }) => status !== 'noop')
  const more = (count: number): string => moreOf(report, count, loud.length < stacks.length)
  const taken = rowsWithin(loud, rowOf, room - more(stacks.length).length - 2)
  return [...taken, '', more(stacks.length - taken.length)]
}

/** The first rows that have room together. */
const rowsWithin = (
  stacks: readonly ReportedStack[],
  rowOf: (stack: ReportedStack) => string,
  room: number,
): string[] => {
  const rows: string[] = []
  let left = room
  for (const stack of stacks) {
    const row = rowOf(stack)
    left -= row.length + 1
    if (left < 0) break
    rows.push(row)
  }
  return rows
}

const moreOf = ({ run }: RunReport, count: number, hasQuiet: boolean): string =>
  `… and ${link(many(count, 'more stack'), run.html_url)}${hasQuiet ? ', those without changes among them' : ''}.`
