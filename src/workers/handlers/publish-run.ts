import { addJobs, isQueued } from '#db/queue/jobs.ts'
import { beginPublication } from '#db/runs/publications.ts'
import { checkRunsWithoutStack } from '#db/runs/sent-check-runs.ts'
import type { RunView } from '#db/views/runs/run-view.ts'
import { interimUpTo } from '#domain/checks/check-run-order.ts'
import { runCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { hasEnded } from '#domain/run-report.ts'
import { isOpen } from '#domain/run-status.ts'
import { type Job, makeJob } from '#jobs/job.ts'
import { closedNote, type ReadPolicy, readsPolicy } from '#workers/publish/closed-note.ts'
import { openChecks } from '#workers/publish/publish-checks.ts'
import { publishComment } from '#workers/publish/publish-comment.ts'
import { type ShownRun, shownRun } from '#workers/publish/shown-run.ts'
import { readsWhole } from '#workers/publish/whole-plans.ts'
import { BudgetSpent } from '#workers/publish/within-budget.ts'
import type { HandlerDeps, JobHandler, Stopping } from '../handler.ts'

/**
 * Brings the check runs of a whole run and its pull request's comment up to date with the database, and leaves those of its
 * stacks to a job of their own. While a run of many stacks goes on, it is shown once a minute, and at once when it ends:
 * written at each of 600 results, the check runs would use up the hour's budget in minutes, and the end would not be shown.
 */
export const publishRun: JobHandler<'publish_run'> = async (
  deps,
  { run_id: runId, looks },
  { key, cause, installation_id: installationId },
) => {
  const begun = await beginPublication(deps.pool, { runId, everyMs: deps.publishEveryMs, stacks: interimUpTo })
  if (!begun) return false
  const isLater = key === laterOf(runId, installationId).key
  if (begun.more && isOpen(begun.status) && !isLater && (await isQueued(deps.pool, laterOf(runId, installationId))))
    return true
  const policyOf = readsPolicy(deps)
  const shown = await shownRun(deps, runId, (run) => closedNote(deps, run, policyOf))
  if (!shown) return false
  const { run, report } = shown
  const isPaced = report.stacks.length > interimUpTo && !hasEnded(report.run)
  const later = (): Job => laterJob(deps, run)
  try {
    const written = await publish(deps, shown, { looks, cause, policyOf })
    if (isPaced && written > 0) await addJobs(deps.pool, [later()])
  } catch (error) {
    // this job is not put back: changes that come meanwhile may use the share that is left
    if (!(error instanceof BudgetSpent)) throw error
    deps.log.info({ run: runId, seconds: error.seconds }, error.message)
    await addJobs(deps.pool, [later()])
  }
  return true
}

/** How many check runs it wrote. */
const publish = async (
  deps: HandlerDeps & Stopping,
  { run, report }: ShownRun,
  { looks, cause, policyOf }: { looks: number; cause: string | null; policyOf: ReadPolicy },
): Promise<number> => {
  // whoever has no stacks any more may still show them
  if (report.stacks.length > 0 || (await checkRunsWithoutStack(deps.pool, run.id)).length > 0) {
    const more = { installationId: run.installation_id, cause }
    await addJobs(deps.pool, [makeJob('publish_stacks', { run_id: run.id }, more)])
  }
  let written = 0
  const wanted = runCheckRuns(report)
  const checks = openChecks(deps, run)
  await checks.recall({ names: wanted.map(({ name }) => name) })
  for (const check of wanted) if ((await checks.write(check)) === 'written') written += 1
  if (run.pr_number !== null && run.is_newest)
    await publishComment(deps, run, { report, looks, read: readsWhole(deps), policyOf })
  deps.runtime.wake()
  return written
}

const laterMs = 60_000

/** The name of that job. */
const laterOf = (runId: string, installationId: number): Job =>
  makeJob('publish_run', { run_id: runId }, { installationId, cause: null, later: true })

/** In addition to the job that the next result brings. */
const laterJob = ({ clock }: HandlerDeps, run: RunView): Job => {
  const runAt = new Date(+clock.now() + laterMs)
  const more = { installationId: run.installation_id, cause: null, later: true, runAt }
  return makeJob('publish_run', { run_id: run.id }, more)
}
