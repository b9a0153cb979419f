import { isSettled, type RunReport } from '../run-report.ts'
import { isUnderWay } from '../run-status.ts'
import { changeCounts, many, totalOf } from './change-counts.ts'
import { clip, code, plain } from './markdown.ts'
import { outcomeTally } from './stack-outcome.ts'

/** The state of the run, in a few words without markup: the title of its roll-up check run and the heading of the comment. */
export const runOutcome = (report: RunReport): string => {
  const { run, stacks } = report
  if (run.failure !== undefined) return 'The stacks could not be resolved'
  if (run.status === 'pending') return run.mode === 'plan' ? 'Waiting for the graph of the repository' : 'Waiting'
  if (run.status === 'superseded') return 'Superseded by a newer commit'
  if (stacks.length === 0) return run.status === 'failed' ? 'Nothing was planned' : 'No stack is affected'
  if (isUnderWay(run.status)) return progress(report)
  if (run.status === 'failed' || run.status === 'unconfirmed') {
    return `${outcomeTally(run.mode, stacks)} of ${many(stacks.length, 'stack')}`
  }
  if (stacks.every((stack) => stack.status === 'noop')) return `${many(stacks.length, 'stack')}, no changes`
  return `${many(stacks.length, 'stack')}: ${changeCounts(totalOf(stacks))}`
}

const progress = ({ run, stacks }: RunReport): string => {
  const wave = run.waves > 1 && run.status === 'applying' ? `Wave ${run.current_wave + 1} of ${run.waves}: ` : ''
  const badly = stacks.filter(({ status }) => status === 'failed' || status === 'unknown')
  const trouble = badly.length === 0 ? '' : `, ${outcomeTally(run.mode, badly)}`
  return `${wave}${stacks.filter(isSettled).length} of ${many(stacks.length, 'stack')} done${trouble}`
}

const cyclesShown = 10
const warningsShown = 10

/** Why a run failed before any stack ran, each cycle spelled, and what to change. Empty if there is no such failure. */
export const failureText = ({ run: { failure } }: RunReport): string => {
  if (failure === undefined) return ''
  const cycles = failure.cycles ?? []
  if (cycles.length === 0) return `**${plain(clip(failure.reason, 2000))}**`
  return [
    '**Some stacks depend on each other in a cycle, so no order of them is right:**',
    '',
    ...cycles.slice(0, cyclesShown).map((cycle) => `- ${code(clip(cycle, 1000))}`),
    ...(cycles.length > cyclesShown ? [`- … and ${cycles.length - cyclesShown} more`] : []),
    '',
    'Take one dependency out of each cycle: a `depends_on`, or a `terraform_remote_state` that reads the other’s state.',
  ].join('\n')
}

/** The run's note and its warnings as a list; empty if there are none. */
export const warningsText = ({ run: { warnings, note } }: RunReport): string => {
  const shown = note === undefined ? [] : [`- ⏳ ${plain(clip(note, 500))}`]
  const told = warnings.slice(0, warningsShown).map(({ message }) => `- ⚠️ ${plain(clip(message, 500))}`)
  shown.push(...told)
  if (warnings.length > warningsShown) shown.push(`- … and ${warnings.length - warningsShown} more`)
  return shown.join('\n')
}
