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

/** The same without the job, for long tables: the page of the stack leads there. */
export const outcome: Column = {
  heading: 'Result',
  cell: ({ run }, stack) => `${signOf(run.mode, stack.status)} ${stackOutcome(run.mode, stack, code)}`,
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
 * the last ones; a line says how many, where they are, and the names that fit. A column that is empty in every row is left out.
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
  const all = within(stacks, rowOf, { room, between: 1 })
  if (all.length === stacks.length) return all
  const loud = stacks.filter(({ status }) => status !== 'noop')
  const more = (count: number): string => moreOf(report, count, loud.length < stacks.length)
  // names are short where rows are long: an eighth of the room has as many of them as the rest has rows
  const reserve = Math.max(more(stacks.length).length + 2, Math.floor(room / 8))
  const taken = within(loud, rowOf, { room: room - reserve, between: 1 })
  const rest = [...loud.slice(taken.length), ...stacks.filter(({ status }) => status === 'noop')]
  const used = taken.reduce((sum, row) => sum + row.length + 1, 0)
  return [...taken, '', naming(more(rest.length), rest, room - used - 2)]
}

/** The first texts that have room together, with so many characters between them. */
const within = (
  stacks: readonly ReportedStack[],
  textOf: (stack: ReportedStack) => string,
  { room, between }: { room: number; between: number },
): string[] => {
  const texts: string[] = []
  let left = room
  for (const stack of stacks) {
    const text = textOf(stack)
    left -= text.length + between
    if (left < 0) break
    texts.push(text)
  }
  return texts
}

/** A sentence, and the keys that it is about, as many as have room. */
export const naming = (sentence: string, stacks: readonly ReportedStack[], room: number): string => {
  const names = within(stacks, (stack) => code(stack.key), { room: room - sentence.length - 4, between: 2 })
  if (names.length === 0) return `${sentence}.`
  return `${sentence}: ${names.join(', ')}${names.length < stacks.length ? ' …' : '.'}`
}

const moreOf = ({ run }: RunReport, count: number, hasQuiet: boolean): string =>
  `… and ${link(many(count, 'more stack'), run.html_url)}${hasQuiet ? ', those without changes among them' : ''}`
