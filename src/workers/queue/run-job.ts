import { RetryAfter } from '#codehost/retry-after.ts'
import { createBatch } from '#db/batch.ts'
import { troubleToldByDatabase } from '#db/database-trouble.ts'
import { failJob, finishJobs } from '#db/queue/job-leases.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import type { Pool } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { retryDelay } from '#domain/retry.ts'
import { handlerOf } from '#workers/handlers/index.ts'
import type { HandlerDeps } from '../handler.ts'
import type { RunJob } from './slots.ts'

/** How a row ended, for metrics. */
export type JobOutcome = {
  queue: 'events' | 'jobs'
  kind: string
  result: 'ok' | 'error' | 'dead' | 'ignored'
  /** From the time it was queued to the end of this attempt. */
  lagSeconds: number
}

/** Nothing waits for the end of a row that has no lane. Under load five were written together, with this nine. */
const lingerMs = 10

/** Runs a row's handler and writes how it ended: done, ignored, put back for later (docs/interface.md, 'Events'), or dead. */
export const jobRunner = (
  deps: HandlerDeps,
  onOutcome: (outcome: JobOutcome) => void = () => {},
  handlerFor = handlerOf,
): RunJob => {
  const finish = createBatch(finishAll(deps.pool))
  const finishLater = createBatch(finishAll(deps.pool), { lingerMs })
  return async (worker, job, signal, handled) => {
    const tell = (result: JobOutcome['result'], at = deps.clock.now()): void => {
      const { queue, kind, cause } = job
      deps.log.debug({ job: job.id, kind, result, cause }, 'a job ended')
      onOutcome({ queue, kind, result, lagSeconds: (+at - +job.created_at) / 1000 })
    }
    try {
      const codehost = job.cause === null ? deps.codehost : deps.codehost.causedBy(job.cause)
      const outcome = await handlerFor(job)({ ...deps, pool: poolOf(deps, job), codehost, signal }, job)
      const at = deps.clock.now()
      handled()
      await (job.lane === null ? finishLater : finish)({
        worker,
        id: job.id,
        owner: job.installation_id,
        state: outcome === 'ignored' ? 'ignored' : 'done',
      })
      tell(outcome === 'ignored' ? 'ignored' : 'ok', at)
    } catch (error) {
      const result = await (signal.aborted ? handOver : putBack)(deps, worker, job, error).catch((failure) => {
        deps.log.error({ err: failure, job: job.id }, 'a failed job cannot be put back')
        tell('error')
        throw failure
      })
      tell(result)
    }
  }
}

/** What a delivery says is looked up: its repository may have changed hands since. */
const poolOf = ({ pool }: HandlerDeps, { queue, installation_id: owner }: JobRow): Pool =>
  queue === 'jobs' && owner !== 0 ? ofInstallation(pool, owner) : pool

type Ended = { worker: string; id: number; owner: number; state: 'done' | 'ignored' }

/** Rows that end at about the same time are written together: one commit for all, instead of each waiting for the disk. */
const finishAll =
  (pool: Pool) =>
  async (rows: Ended[]): Promise<() => void> => {
    const alike = Map.groupBy(rows, ({ worker, state }) => `${worker} ${state}`)
    for (const group of alike.values()) {
      const [first] = group
      const ids = group.map(({ id }) => id)
      const isOnes = group.every(({ owner }) => owner === first?.owner)
      if (first) await finishJobs(isOnes ? ofInstallation(pool, first.owner) : pool, first.worker, ids, first.state)
    }
    return () => {}
  }

/** The process stops: another one continues with the row at once, and this does not count as an attempt. */
const handOver = async (deps: HandlerDeps, worker: string, job: JobRow): Promise<'error'> => {
  await failJob(deps.pool, worker, {
    id: job.id,
    error: 'the worker was stopped',
    runAt: deps.clock.now(),
    countAttempt: false,
  })
  return 'error'
}

/** A row that another transaction holds, or a fail-over, is no failure of the job. */
const troubleMs = 5000

const putBack = async (deps: HandlerDeps, worker: string, job: JobRow, error: unknown): Promise<'error' | 'dead'> => {
  const now = deps.clock.now().getTime()
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof RetryAfter) {
    deps.log.info({ job: job.id, kind: job.kind, seconds: error.seconds }, message)
    const runAt = new Date(now + error.seconds * 1000)
    await failJob(deps.pool, worker, { id: job.id, error: message, runAt, countAttempt: false })
    return 'error'
  }
  const trouble = troubleToldByDatabase(error)
  if (trouble !== undefined && trouble !== 'slow') {
    deps.log.warn({ err: error, job: job.id, kind: job.kind }, 'a job met a database in trouble')
    const runAt = new Date(now + troubleMs)
    await failJob(deps.pool, worker, { id: job.id, error: message, runAt, countAttempt: false })
    return 'error'
  }
  const delay = retryDelay(job.attempt)
  deps.log.error({ err: error, job: job.id, kind: job.kind, attempt: job.attempt, cause: job.cause }, 'a job failed')
  const runAt = delay === undefined ? null : new Date(now + delay * 1000)
  await failJob(deps.pool, worker, { id: job.id, error: message, runAt, countAttempt: true })
  return runAt === null ? 'dead' : 'error'
}
