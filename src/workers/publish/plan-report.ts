import { findPlanView } from '#db/views/runs/plan-view.ts'
import type { RunStackView } from '#db/views/runs/run-stack-view.ts'
import { findNewestRunView, type RunView } from '#db/views/runs/run-view.ts'
import type { ReportedStack, RunReport } from '#domain/run-report.ts'
import type { RunStatus } from '#domain/run-status.ts'
import type { HandlerDeps } from '../handler.ts'
import { reportOfRun } from './report-of-run.ts'
import { shownStacks, shownStacksOf } from './shown-stacks.ts'

/** `read`: the report already at hand, of any run of the pull request. */
type Wanted = { repoId: number; prNumber: number; read: RunReport }

type ReportDeps = Pick<HandlerDeps, 'pool' | 'baseUrl'>

/**
 * The plan of a pull request as its comment shows it. If the newest run has only a few stacks (by comment, or run again), it
 * is laid over the plans of the others. Each stack links to the run its result is from.
 */
export const planReport = async (
  { pool, baseUrl }: ReportDeps,
  { repoId, prNumber, read }: Wanted,
): Promise<RunReport | undefined> => {
  const newest = await findNewestRunView(pool, repoId, prNumber, 'plan')
  if (!newest) return undefined
  if (newest.id === read.run.id && newest.trigger === 'pull_request') return read
  const plan = newest.trigger === 'pull_request' ? undefined : await findPlanView(pool, repoId, prNumber)
  if (!plan || plan.sha !== newest.sha) {
    return reportOfRun(baseUrl, newest, await shownStacks(pool, newest.id))
  }
  const refs = plan.stacks.map((stack) => ({ runId: stack.run_id, stackId: stack.stack_id }))
  return laidOver(baseUrl, newest, await shownStacksOf(pool, refs))
}

const laidOver = (baseUrl: string, newest: RunView, views: readonly RunStackView[]): RunReport => {
  const waves = views.reduce((most, { wave }) => Math.max(most, wave + 1), 0)
  const { run, stacks } = reportOfRun(baseUrl, { ...newest, waves }, views)
  return {
    run: { ...run, status: statusOf(run.status, stacks) },
    stacks: stacks.map((stack, index) => {
      const of = views[index]?.run_id ?? newest.id
      return of === newest.id ? stack : { ...stack, run_url: run.html_url.replace(newest.id, of) }
    }),
  }
}

/** A successful run of some stacks does not make the others successful. */
const statusOf = (status: RunStatus, stacks: readonly ReportedStack[]): RunStatus => {
  if (status !== 'planned') return status
  if (stacks.some((stack) => stack.status === 'failed' || stack.status === 'unknown')) return 'failed'
  return stacks.some((stack) => stack.status === 'unconfirmed') ? 'unconfirmed' : status
}

/** The newest apply of a pull request. */
export const applyReport = async (
  { pool, baseUrl }: ReportDeps,
  { repoId, prNumber, read }: Wanted,
): Promise<RunReport | undefined> => {
  const newest = await findNewestRunView(pool, repoId, prNumber, 'apply')
  if (newest?.id === read.run.id) return read
  return newest && reportOfRun(baseUrl, newest, await shownStacks(pool, newest.id))
}
