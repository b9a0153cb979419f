import { z } from 'zod'
import { reportedStackViewsOf } from '#db/views/run-stack-view.ts'
import { findRunView } from '#db/views/run-view.ts'
import { byWeight, droppedCheckRun } from '#domain/check-run-order.ts'
import { wantedCheckRuns } from '#domain/check-runs.ts'
import type { Handler } from '../handler.ts'
import { openChecks } from '../publish-checks.ts'
import { publishComment } from '../publish-comment.ts'
import { runReport } from '../run-report.ts'

/** `looks`: how often it was asked whether the pull request conflicts. */
const Payload = z.object({ run_id: z.string(), looks: z.number().default(0) })

/**
 * Makes a run's check runs and its pull request's comment say what the database says now: first what is of the whole run and
 * the comment, then the stacks, failures ahead. Each attempt begins at the top, so that these are current however often the
 * budget of writes runs out over a run of many stacks.
 */
export const publishRun: Handler = async (deps, job) => {
  const { run_id: runId, looks } = Payload.parse(job.payload)
  const run = await findRunView(deps.pool, runId)
  if (!run) return 'ignored'
  const repo = { installationId: run.installation_id, owner: run.owner, name: run.name }
  const report = runReport(deps.baseUrl, run, await reportedStackViewsOf(deps.pool, runId))
  const wanted = wantedCheckRuns(report)
  const { ofRun, ofStacks } = byWeight(wanted, report.stacks.length)
  const { made, write } = await openChecks(deps, repo, run)
  await write(ofRun)
  if (run.pr_number !== null && run.is_newest) await publishComment(deps, run, { report, looks })
  await write(ofStacks)
  const names = new Set(wanted.map(({ name }) => name))
  await write(made.filter((name) => !names.has(name)).map((name) => droppedCheckRun(report.run, name)))
  return undefined
}
