import { syncInstallation, syncInstallations } from '#commands/patrol/sync-installations.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import type { JobHandler } from '../handler.ts'

/** Brings the known installations and repositories up to date with the code host; those that fail get jobs of their own. */
export const syncInstallationsHandler: JobHandler<'sync_installations'> = async (deps, payload, { cause }) => {
  if (payload.installation_id !== undefined) return syncInstallation(deps, payload.installation_id)
  const failed = await syncInstallations(deps)
  const now = +deps.clock.now()
  await addJobs(
    deps.pool,
    failed.map(({ id, seconds }) =>
      makeJob('sync_installations', { installation_id: id }, { cause, runAt: new Date(now + seconds * 1000) }),
    ),
  )
  return true
}
