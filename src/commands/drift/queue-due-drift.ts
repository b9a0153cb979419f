import type { PatrolDeps } from '#commands/patrol/patrol-repositories.ts'
import { setNextDrift, takeDueDrift, takeUnreadConfigs } from '#db/drift/drift-schedules.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { nextTick } from '#domain/config/cron.ts'
import { makeJob } from '#jobs/job.ts'

/** Repositories per transaction: some 10 ms of work. */
const atOnce = 200

/**
 * Configurations of new repositories read per minute: at most a quarter of the 5,000 requests that an installation has an
 * hour.
 */
const readAtOnce = 20

/**
 * Queues the checks that are due, each minute. A repository's next tick is recorded in the transaction that queues the job of
 * this one, so none is lost or done twice, even if two instances look at the same time. Of the ticks missed while no instance
 * looked, one is made up for. Also reads, some at a time, the configurations of new repositories.
 */
export const queueDueDrift = async (deps: Pick<PatrolDeps, 'pool' | 'runtime' | 'clock' | 'signal'>): Promise<void> => {
  for (;;) {
    deps.signal.throwIfAborted()
    const taken = await transact(deps.pool, (tx) => queueSome(tx, deps.clock.now()))
    if (taken < atOnce) break
  }
  await transact(deps.pool, async (tx) => {
    const unread = await takeUnreadConfigs(tx, readAtOnce)
    await addJobs(
      tx,
      unread.map((repo_id) => makeJob('read_config', { repo_id }, { cause: null })),
    )
  })
  deps.runtime.wake()
}

const queueSome = async (tx: Tx, now: Date): Promise<number> => {
  const due = await takeDueDrift(tx, now, atOnce)
  await setNextDrift(
    tx,
    due.map(({ id, schedule }) => ({ id, drift_next_at: nextTick(schedule, now) ?? null })),
  )
  const served = due.filter((check) => check.served)
  await addJobs(
    tx,
    served.map(({ id, installation_id: installationId, due_at }) =>
      makeJob('schedule_drift', { repo_id: id, due_at: due_at.toISOString() }, { installationId, cause: null }),
    ),
  )
  return due.length
}
