import { archiveHistory } from '#commands/history/archive-history.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import type { JobHandler } from '../handler.ts'

const mostMs = 60_000
const restMs = 10_000

/** Archives for a minute; what is left continues in another job, so no job runs for hours. Without a retention there is nothing to do. */
export const archiveHistoryHandler: JobHandler<'archive_history'> = async (deps, _, { cause }) => {
  const { artifacts, retention, pool, clock } = deps
  if (!artifacts || retention.history === undefined) return false
  const isMore = await archiveHistory({ ...deps, artifacts }, retention.history, mostMs)
  const runAt = new Date(+clock.now() + restMs)
  if (isMore) await addJobs(pool, [makeJob('archive_history', {}, { cause, runAt })])
  return true
}
