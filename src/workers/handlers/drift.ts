import { z } from 'zod'
import { followConfig } from '#commands/follow-push.ts'
import { queueDueDrift } from '#commands/queue-due-drift.ts'
import { startDrift } from '#commands/start-drift.ts'
import type { NewJob } from '#db/jobs.ts'
import type { Handler } from '../handler.ts'

const OfRepository = z.object({ repo_id: z.number() })
const Tick = OfRepository.extend({ due_at: z.coerce.date() })

/** The look for repositories that are due. */
export const scheduleDriftJob = (): NewJob => ({
  kind: 'schedule_drift',
  key: 'due',
  lane: 'schedule_drift due',
  payload: {},
  cause: null,
})

/** Finds the repositories whose check for drift is due; and, for one of them, begins it. */
export const scheduleDrift: Handler = async (deps, job) => {
  const tick = Tick.safeParse(job.payload)
  if (!tick.success) {
    await queueDueDrift(deps)
    return undefined
  }
  const { repo_id: repoId, due_at: dueAt } = tick.data
  return (await startDrift(deps, { repoId, dueAt, cause: job.cause })) ? undefined : 'ignored'
}

/** Reads the configuration of a repository that is new here. */
export const readConfig: Handler = async (deps, job) => {
  const { repo_id: repoId } = OfRepository.parse(job.payload)
  return (await followConfig(deps, repoId)) ? undefined : 'ignored'
}
