import { runOutcome } from '#domain/texts/run-outcome.ts'
import { signOf } from '#domain/texts/stack-outcome.ts'
import { type RunReport, shortSha } from '../run-report.ts'

const titles = { plan: 'Plan', apply: 'Apply', drift: 'Drift' } as const

/** The state of a run, as the heading of its part of the comment. */
export const runTitle = (report: RunReport): string => {
  const { run } = report
  // A drift run without a planned stack has not drifted, though its own status is still `planned`: it takes a plan's sign.
  const sign = signOf(report.stacks.some((stack) => stack.status === 'planned') ? run.mode : 'plan', run.status)
  return `### ${sign} ${titles[run.mode]} of ${shortSha(run.sha)}: ${runOutcome(report)}`
}
