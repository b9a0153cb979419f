import { setNextDrift, takeDueDrift, takeUnreadConfigs } from '#db/drift-schedules.ts'
import { addJobs, type NewJob } from '#db/jobs.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { nextTick } from '#domain/next-tick.ts'
import type { PatrolDeps } from './each-repository.ts'

/** Repositories in one transaction: some 10 ms of work. */
const atOnce = 200

/**
 * Configurations read in a minute of repositories that are new here: of the 5,000 requests that an installation has in an hour
 * they take a quarter at most.
 */
const readAtOnce = 20

/**
 * The wish that a repository is checked for drift, because of its tick at `dueAt`. Two lanes for all: hundreds of repositories are
 * due at four in the morning, and a webhook that comes then must find a worker.
 */
export const checkDriftJob = (repoId: number, dueAt: Date): NewJob => ({
  kind: 'schedule_drift',
  key: String(repoId),
  lane: `drift ${repoId % 2}`,
  payload: { repo_id: repoId, due_at: dueAt.toISOString() },
  cause: null,
})

/** The wish that the configuration of a repository's default branch is read. */
const readConfigJob = (repoId: number): NewJob => ({
  kind: 'read_config',
  key: String(repoId),
  lane: null,
  payload: { repo_id: repoId },
  cause: null,
})

/**
 * Queues the checks that are due, each minute. A repository's next tick is noted in the transaction that queues the job of this
 * one, so that none is lost or done twice, though two instances may look at the same time. Of the ticks that were missed while
 * nobody looked one is made up for. Reads, some at a time, the configurations of repositories that are new.
 */
export const queueDueDrift = async (deps: Pick<PatrolDeps, 'pool' | 'runtime' | 'clock' | 'signal'>): Promise<void> => {
  for (;;) {
    deps.signal.throwIfAborted()
    const taken = await transact(deps.pool, (tx) => queueSome(tx, deps.clock.now()))
    if (taken < atOnce) break
  }
  await transact(deps.pool, async (tx) => addJobs(tx, (await takeUnreadConfigs(tx, readAtOnce)).map(readConfigJob)))
  deps.runtime.wake()
}

const queueSome = async (tx: Tx, now: Date): Promise<number> => {
  const due = await takeDueDrift(tx, now, atOnce)
  await setNextDrift(
    tx,
    due.map(({ id, schedule }) => ({ id, nextAt: nextTick(schedule, now) ?? null })),
  )
  await addJobs(
    tx,
    due.filter(({ served }) => served).map(({ id, dueAt }) => checkDriftJob(id, dueAt)),
  )
  return due.length
}
