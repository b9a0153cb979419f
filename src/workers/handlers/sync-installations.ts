import { z } from 'zod'
import { syncInstallation, syncInstallations } from '#commands/sync-installations.ts'
import { addJobs } from '#db/jobs.ts'
import type { Handler } from '../handler.ts'
import { syncOneJob } from '../request-sync.ts'

const Payload = z.object({ installation_id: z.number().optional() })

/** Makes the known installations and repositories those of the code host; those that fail have jobs of their own. */
export const syncInstallationsHandler: Handler = async (deps, job) => {
  const { installation_id: id } = Payload.parse(job.payload)
  if (id !== undefined) return (await syncInstallation(deps, id)) ? undefined : 'ignored'
  const failed = await syncInstallations(deps)
  const now = +deps.clock.now()
  await addJobs(
    deps.pool,
    failed.map(({ id, seconds }) => syncOneJob(id, job.cause, new Date(now + seconds * 1000))),
  )
  return undefined
}
