import { runOutcome } from './run-outcome.ts'
import { type RunReport, shortSha } from './run-report.ts'
import { signOf } from './stack-outcome.ts'

const titles = { plan: 'Plan', apply: 'Apply', drift: 'Drift' } as const

/** How a run stands, as the heading of its part of the comment. */
export const runTitle = (report: RunReport): string => {
  const { run } = report
  // A run without stacks has not drifted: planned is what 'nothing to do' is called.
  const sign = signOf(report.stacks.some((stack) => stack.status === 'planned') ? run.mode : 'plan', run.status)
  return `### ${sign} ${titles[run.mode]} of ${shortSha(run.sha)}: ${runOutcome(report)}`
}
