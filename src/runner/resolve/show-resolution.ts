import { code, link, plain } from '#domain/texts/markdown.ts'
import type { Output } from '../output/output.ts'
import { printTable } from '../print/table.ts'
import type { Resolved } from '../service/resolved.ts'

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** `3 stacks in 2 waves`. */
const resolutionTitle = ({ affected, waves, cycles }: Resolved): string => {
  if (cycles !== undefined && cycles.length > 0) return 'stacks depend on each other in a cycle'
  return affected.length === 0
    ? 'no stack is affected'
    : `${count(affected.length, 'stack')} in ${count(waves.length, 'wave')}`
}

const lockedBy = ({ locked_by: lock }: Resolved['affected'][number]): string => {
  if (lock === undefined) return ''
  return lock.pr_number === undefined ? `run ${lock.run_id ?? ''}` : `#${lock.pr_number}`
}

type Column = { heading: string; cell: (stack: Resolved['affected'][number]) => string }

const columns: readonly Column[] = [
  { heading: 'WAVE', cell: ({ wave }) => String(wave + 1) },
  { heading: 'STACK', cell: ({ key }) => key },
  { heading: 'WHY', cell: ({ reasons = [] }) => reasons.join(', ') },
  { heading: 'VIA', cell: ({ via = [] }) => via.join(', ') },
  { heading: 'ENVIRONMENT', cell: ({ environment = '' }) => environment },
  { heading: 'LOCKED BY', cell: lockedBy },
]

/** A column that is empty for every stack is left out. */
const tableOf = (stacks: Resolved['affected']): string => {
  const kept = columns.filter(({ cell }) => stacks.some((stack) => cell(stack) !== ''))
  return printTable([kept.map(({ heading }) => heading), ...stacks.map((stack) => kept.map(({ cell }) => cell(stack)))])
}

/** Prints which stacks are affected, in which wave and why, then what else people should know. */
export const printResolution = (output: Output, answer: Resolved): void => {
  output.print(`${output.paint('bold', resolutionTitle(answer))}\n`)
  if (answer.affected.length > 0) output.print(tableOf(answer.affected))
  for (const { key, relation, stacks } of answer.external ?? [])
    output.print(`${key} is a ${relation} of ${stacks.join(', ')} and not planned here\n`)
  for (const { message } of answer.warnings ?? []) output.warn(message)
  for (const cycle of answer.cycles ?? []) output.fail(`cycle: ${cycle}`)
}

/** Rows in the job's summary; the run's page has all of them. */
const ROWS = 500

/** The same as Markdown, for the job's summary. */
export const resolutionSummary = (answer: Resolved, runUrl: string | undefined): string => {
  const { affected, warnings = [], cycles = [] } = answer
  const rows = affected
    .slice(0, ROWS)
    .map(
      ({ key, wave, reasons = [], via = [] }) =>
        `| ${wave + 1} | ${code(key)} | ${reasons.join(', ')} | ${via.map((one) => code(one)).join(' ')} |`,
    )
  return [
    `### ${link(`svc: ${resolutionTitle(answer)}`, runUrl)}`,
    ...(answer.unconfirmed ? ['', "The service could not be reached: this is the client's own answer."] : []),
    ...(rows.length > 0 ? ['', '| Wave | Stack | Why | Via |', '| --- | --- | --- | --- |', ...rows] : []),
    ...(affected.length > ROWS ? ['', `… and ${affected.length - ROWS} more.`] : []),
    ...(cycles.length > 0 ? ['', ...cycles.map((cycle) => `- cycle: ${code(cycle)}`)] : []),
    ...(warnings.length > 0 ? ['', ...warnings.map(({ message }) => `- ${plain(message)}`)] : []),
  ].join('\n')
}
