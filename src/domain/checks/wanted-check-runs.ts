import {
  type Column,
  checks,
  environment,
  key,
  lock,
  result,
  stacksTable,
  wave,
  why,
} from '#domain/comments/stacks-table.ts'
import { many } from '#domain/texts/change-counts.ts'
import { cutAtLine } from '#domain/texts/markdown.ts'
import { failureText, runOutcome, warningsText } from '#domain/texts/run-outcome.ts'
import { limits } from '../limits.ts'
import { closed, inOrder, isResolved, type RunReport } from '../run-report.ts'
import { type CheckRunWanted, checkRunName, progressOf } from './check-run.ts'
import { stackCheckRuns } from './stack-check-runs.ts'

/**
 * Every check run that a run should have now: `svc/resolve` (plan runs), the roll-up `svc/plan` or `svc/apply` that a branch
 * protection can require, and the check runs of the stacks. A drift run has none: no pull request shows them. One after
 * another: of a run with 20,000 stacks all of them take 0.4 s.
 */
export function* wantedCheckRuns(given: RunReport): Generator<CheckRunWanted> {
  const report = closed(given)
  if (report.run.mode === 'drift') return
  if (report.run.mode === 'plan') yield resolveCheckRun(report)
  yield rollUpCheckRun(report)
  for (const stack of inOrder(report.stacks)) yield* stackCheckRuns(report.run, stack)
}

const resolveCheckRun = (report: RunReport): CheckRunWanted => ({
  ...common(report, 'resolve', [wave, key, why, environment]),
  ...resolution(report),
})

/** What is known about the order of the stacks; a plan that failed later was still resolved. */
const resolution = (report: RunReport): Pick<CheckRunWanted, 'status' | 'conclusion' | 'title'> => {
  const { run, stacks } = report
  if (isResolved(report)) {
    const title = `${many(stacks.length, 'stack')} in ${many(run.waves, 'wave')}`
    return { status: 'completed', conclusion: 'success', title: stacks.length === 0 ? 'No stack is affected' : title }
  }
  if (run.failure !== undefined) {
    const cycles = run.failure.cycles?.length ?? 0
    const title = cycles > 0 ? `${many(cycles, 'cycle')} among the stacks` : runOutcome(report)
    return { status: 'completed', conclusion: 'failure', title }
  }
  if (run.status === 'superseded') return { ...progressOf('superseded'), title: runOutcome(report) }
  return { status: 'in_progress', title: runOutcome(report) }
}

const rollUpCheckRun = (report: RunReport): CheckRunWanted => ({
  ...common(report, report.run.mode, [wave, key, result, checks, lock]),
  ...progressOf(report.run.status),
  title: runOutcome(report),
})

const common = (report: RunReport, check: string, columns: readonly Column[]) => {
  const { run } = report
  const around = [failureText(report), warningsText(report)]
  const room = limits.outputChars - around.reduce((sum, part) => sum + part.length + 2, 0)
  const table = report.stacks.length === 0 ? '' : stacksTable(report, columns, room)
  const parts = [around[0], table, around[1]].filter((part) => part !== undefined && part !== '')
  const summary = parts.length === 0 ? `${runOutcome(report)}.` : parts.join('\n\n')
  return {
    name: checkRunName(check),
    headSha: run.sha,
    externalId: run.id,
    detailsUrl: run.html_url,
    summary: cutAtLine(summary, limits.outputChars, '… cut here.'),
  }
}
