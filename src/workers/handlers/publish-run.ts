import { addJobs, isQueued } from '#db/queue/jobs.ts'
import { reportedStackViewsOf } from '#db/views/run-stack-view.ts'
import { findRunView, type RunView } from '#db/views/run-view.ts'
import { type CheckRunWanted, checkRunName } from '#domain/checks/check-run.ts'
import { byWeight, droppedCheckRun, interimUpTo } from '#domain/checks/check-run-order.ts'
import { stackCheckRun } from '#domain/checks/stack-check-runs.ts'
import { wantedCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { closed, hasEnded, type RunReport } from '#domain/run-report.ts'
import { type Job, makeJob } from '#jobs/job.ts'
import { type LongCheck, openChecks } from '#workers/publish/publish-checks.ts'
import { publishComment } from '#workers/publish/publish-comment.ts'
import { reportOfRun } from '#workers/publish/report-of-run.ts'
import { type ReadWhole, readsWhole } from '#workers/publish/whole-plans.ts'
import { BudgetSpent } from '#workers/publish/within-budget.ts'
import type { HandlerDeps, JobHandler, Stopping } from '../handler.ts'

/**
 * Brings a run's check runs and its pull request's comment up to date with the database: first the check runs of the whole run
 * and the comment, then the stacks, failures first. While a run of many stacks goes on, its stacks are shown once a minute,
 * and at once when it ends: written at each of 600 results, they would use up the hour's budget in minutes, and the end would
 * not be shown.
 */
export const publishRun: JobHandler<'publish_run'> = async (deps, { run_id: runId, looks }, { key }) => {
  const run = await findRunView(deps.pool, runId)
  if (!run) return false
  const report = reportOfRun(deps.baseUrl, run, await reportedStackViewsOf(deps.pool, runId))
  const isPaced = report.stacks.length > interimUpTo && !hasEnded(report.run)
  const later = (): Job => laterJob(deps, run)
  if (isPaced && key !== later().key && (await isQueued(deps.pool, later()))) return true
  try {
    const written = await publish(deps, run, report, looks)
    if (isPaced && written > 0) await addJobs(deps.pool, [later()])
  } catch (error) {
    // this job is not put back: changes that come meanwhile may use the share that is left
    if (!(error instanceof BudgetSpent)) throw error
    deps.log.info({ run: runId, seconds: error.seconds }, error.message)
    await addJobs(deps.pool, [later()])
  }
  return true
}

const publish = async (
  deps: HandlerDeps & Stopping,
  run: RunView,
  report: RunReport,
  looks: number,
): Promise<number> => {
  const wanted = wantedCheckRuns(report)
  const { ofRun, ofStacks } = byWeight(wanted, report.stacks.length)
  const read = readsWhole(deps)
  const { made, write } = await openChecks(deps, run, longChecks(report, read))
  const first = await write(ofRun)
  if (run.pr_number !== null && run.is_newest) await publishComment(deps, run, { report, looks, read })
  const names = new Set(wanted.map(({ name }) => name))
  const dropped = made.filter((name) => !names.has(name)).map((name) => droppedCheckRun(report.run, name))
  return first + (await write([...ofStacks, ...dropped]))
}

/** The check runs of the stacks with long plans. */
const longChecks = (report: RunReport, read: ReadWhole) => {
  const { run, stacks } = closed(report)
  const long = new Map(
    stacks.filter((stack) => stack.plan_more).map((stack) => [checkRunName(run.mode, stack.key), stack]),
  )
  return ({ name }: CheckRunWanted): LongCheck | undefined => {
    const stack = long.get(name)
    if (!stack?.plan_more) return undefined
    const whole = async (): Promise<CheckRunWanted | undefined> => {
      const shown = await read(stack)
      return shown && stackCheckRun(run, shown)
    }
    return { hash: stack.plan_more.hash, whole }
  }
}

const laterMs = 60_000

/** In addition to the job that the next result brings. */
const laterJob = ({ clock }: HandlerDeps, run: RunView): Job => {
  const runAt = new Date(+clock.now() + laterMs)
  const more = { installationId: run.installation_id, cause: null, later: true, runAt }
  return makeJob('publish_run', { run_id: run.id }, more)
}
