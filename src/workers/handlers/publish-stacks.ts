import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { runToShow } from '#workers/publish/shown-run.ts'
import { writeStackChecks } from '#workers/publish/stack-checks.ts'
import type { JobHandler } from '../handler.ts'

/** After this, other runs of the installation have their turn, and other installations have the worker. */
const turnMs = 5000

/**
 * Brings the check runs of a run's stacks up to date, failures first. At the code host's pace 300 of them take five minutes,
 * and the budget of an hour may be used up on the way: the row is put off then, by RetryAfter.
 */
export const publishStacks: JobHandler<'publish_stacks'> = async (deps, { run_id: runId }, { cause }) => {
  const run = await runToShow(deps, runId)
  if (!run) return false
  const until = performance.now() + turnMs
  if (await writeStackChecks(deps, run, () => performance.now() < until)) return true
  const more = { installationId: run.installation_id, cause }
  await addJobs(deps.pool, [makeJob('publish_stacks', { run_id: runId }, more)])
  return true
}
