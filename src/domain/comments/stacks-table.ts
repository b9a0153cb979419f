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
  const rows = inOrder(report.stacks).map((stack) => ({
    quiet: stack.status === 'noop',
    cells: wanted.map((column) => column.cell(report, stack)),
  }))
  const kept = wanted.map((_, at) => rows.some(({ cells }) => cells[at] !== ''))
  const line = (cells: readonly string[]): string => `| ${cells.filter((_, at) => kept[at]).join(' | ')} |`
  const head = [line(wanted.map((column) => column.heading)), line(wanted.map(() => '---'))]
  const lines = rows.map(({ quiet, cells }) => ({ quiet, text: line(cells) }))
  return [...head, ...fitting(report, lines, room - head.join('\n').length - 1)].join('\n')
}

const fitting = (report: RunReport, lines: readonly { quiet: boolean; text: string }[], room: number): string[] => {
  const size = lines.reduce((sum, { text }) => sum + text.length + 1, 0)
  if (size <= room) return lines.map(({ text }) => text)
  const taken: string[] = []
  let left = room - moreOf(report, lines.length).length - 2
  for (const { quiet, text } of lines) {
    if (quiet) continue
    left -= text.length + 1
    if (left < 0) break
    taken.push(text)
  }
  return [...taken, '', moreOf(report, lines.length - taken.length)]
}

const moreOf = ({ run }: RunReport, count: number): string =>
  `… and ${link(many(count, 'more stack'), run.html_url)}, those without changes among them.`
