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
import {
  closed,
  inOrder,
  isResolved,
  type ReportedRun,
  type ReportedStack,
  type RunOfStacks,
  type RunReport,
} from '../run-report.ts'
import { type CheckRunWanted, checkRunName, progressOf } from './check-run.ts'
import { stackCheckRuns } from './stack-check-runs.ts'

/**
 * The check runs that stand for a whole run: `svc/resolve` (plan runs), and the roll-up `svc/plan` or `svc/apply` that a branch
 * protection can require. A drift run has none: no pull request shows them.
 */
export const runCheckRuns = (given: RunReport): CheckRunWanted[] => {
  const report = closed(given)
  if (report.run.mode === 'drift') return []
  return [...(report.run.mode === 'plan' ? [resolveCheckRun(report)] : []), rollUpCheckRun(report)]
}

/** Those of its stacks, one after another: of a run with 20,000 stacks all of them take 0.4 s. */
export function* stacksCheckRuns(given: RunReport): Generator<{ stack: ReportedStack; check: CheckRunWanted }> {
  const { run, stacks } = closed(given)
  if (run.mode === 'drift') return
  for (const stack of inOrder(stacks)) for (const check of stackCheckRuns(run, stack)) yield { stack, check }
}

/** All that the check runs of a run's stacks say of the run itself: while this is the same, only stacks that changed have others. */
export const sameForStacks = ({ id, mode, sha, waves, html_url }: ReportedRun): string =>
  JSON.stringify({ id, mode, sha, waves, html_url } satisfies RunOfStacks)

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
