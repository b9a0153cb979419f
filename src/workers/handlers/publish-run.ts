import { z } from 'zod'
import type { RepoRef } from '#codehost/port.ts'
import { addJobs, isQueued } from '#db/jobs.ts'
import { reportedStackViewsOf } from '#db/views/run-stack-view.ts'
import { findRunView, type RunView } from '#db/views/run-view.ts'
import { type CheckRunWanted, checkRunName } from '#domain/check-run.ts'
import { byWeight, droppedCheckRun, interimUpTo } from '#domain/check-run-order.ts'
import { wantedCheckRuns } from '#domain/check-runs.ts'
import { closed, hasEnded, type RunReport } from '#domain/run-report.ts'
import { stackCheckRun } from '#domain/stack-check-runs.ts'
import { publishRunJob } from '#runtime/effects.ts'
import type { Handler, HandlerDeps, Stopping } from '../handler.ts'
import { type LongCheck, openChecks } from '../publish-checks.ts'
import { publishComment } from '../publish-comment.ts'
import { runReport } from '../run-report.ts'
import { type ReadWhole, readsWhole } from '../whole-plans.ts'
import { BudgetSpent } from '../within-budget.ts'

/** `looks`: how often it was asked whether the pull request conflicts. */
const Payload = z.object({ run_id: z.string(), looks: z.number().default(0) })

/**
 * Makes a run's check runs and its pull request's comment say what the database says now: first what is of the whole run and
 * the comment, then the stacks, failures ahead. A run of many stacks is shown anew once a minute while it goes on and at once
 * when it has ended: written at each of 600 results, the hour's budget would be gone in minutes, and the end untold.
 */
export const publishRun: Handler = async (deps, job) => {
  const { run_id: runId, looks } = Payload.parse(job.payload)
  const run = await findRunView(deps.pool, runId)
  if (!run) return 'ignored'
  const report = runReport(deps.baseUrl, run, await reportedStackViewsOf(deps.pool, runId))
  const isPaced = report.stacks.length > interimUpTo && !hasEnded(report.run)
  if (isPaced && job.key === runId && (await isQueued(deps.pool, 'publish_run', laterKey(runId)))) return undefined
  try {
    const written = await publish(deps, run, report, looks)
    if (isPaced && written > 0) await goOnLater(deps, run)
  } catch (error) {
    // not put back itself: what comes meanwhile may be of the share that is left
    if (!(error instanceof BudgetSpent)) throw error
    deps.log.info({ run: runId, seconds: error.seconds }, error.message)
    await goOnLater(deps, run)
  }
  return undefined
}

const publish = async (
  deps: HandlerDeps & Stopping,
  run: RunView,
  report: RunReport,
  looks: number,
): Promise<number> => {
  const repo: RepoRef = { installationId: run.installation_id, owner: run.owner, name: run.name }
  const wanted = wantedCheckRuns(report)
  const { ofRun, ofStacks } = byWeight(wanted, report.stacks.length)
  const read = readsWhole(deps)
  const { made, write } = await openChecks(deps, repo, run, longChecks(report, read))
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

const laterKey = (runId: string): string => `${runId} later`
const laterMs = 60_000

/** A wish of its own, beside the one that the next result brings. */
const goOnLater = async ({ pool, clock }: HandlerDeps, run: RunView): Promise<void> => {
  const job = publishRunJob(run.id, run.installation_id, null)
  await addJobs(pool, [{ ...job, key: laterKey(run.id), runAt: new Date(+clock.now() + laterMs) }])
}
