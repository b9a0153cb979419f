import { monthsDue } from '#commands/history/archive-history.ts'
import { countDriftedStacks } from '#db/drift/drift-states.ts'
import { monthsHere, strayRows } from '#db/history/partitions.ts'
import { countHeldLocks } from '#db/machines/locks.ts'
import { queueDepths } from '#db/queue/jobs.ts'
import { jobKinds } from '#jobs/job.ts'
import type { Metrics } from '#metrics.ts'
import { startTimers } from './clock/timers.ts'
import type { HandlerDeps } from './handler.ts'
import { type JobOutcome, jobRunner } from './queue/run-job.ts'
import { startWorker, type Worker, type WorkerOptions } from './queue/worker.ts'

export type Workers = Pick<Worker, 'wake' | 'store' | 'trouble' | 'stop'>

/** Starts the work behind the API: the queue's worker, the timers, the gauges that are read from the database. */
export const startWorkers = (
  deps: HandlerDeps & { metrics: Metrics; leaseSeconds?: number } & Pick<
      WorkerOptions,
      'databaseUrl' | 'concurrency' | 'seam'
    >,
): Workers => {
  const { pool, clock, log, metrics } = deps
  metrics.expectJobs(jobKinds)
  const runJob = jobRunner(deps, countIn(metrics))
  const worker = startWorker({ ...deps, runJob, leaseSeconds: deps.leaseSeconds ?? 30 })
  const timers = startTimers({ pool, runtime: deps.runtime, clock, log })
  const refresh = (): void =>
    void showGauges(deps).catch((error) => log.warn({ err: error }, 'the gauges cannot be read'))
  const gauge = setInterval(refresh, 60_000)
  refresh()
  return {
    wake: worker.wake,
    store: worker.store,
    trouble: worker.trouble,
    stop: async () => {
      clearInterval(gauge)
      await timers.stop()
      await worker.stop()
    },
  }
}

const countIn =
  (metrics: Metrics) =>
  ({ queue, kind, result, lagSeconds }: JobOutcome): void => {
    if (queue === 'jobs') metrics.jobProcessed(kind, result)
    else metrics.eventProcessed(kind, result)
    if (queue === 'events' && (result === 'ok' || result === 'ignored')) metrics.webhookHandled(lagSeconds)
  }

const showGauges = async ({ pool, metrics, clock, retention }: HandlerDeps & { metrics: Metrics }): Promise<void> => {
  metrics.locksHeld(await countHeldLocks(pool))
  metrics.driftedStacks(await countDriftedStacks(pool))
  const { rows: strayOnes } = await strayRows(pool)
  const due = retention.history === undefined ? [] : monthsDue(await monthsHere(pool), clock.now(), retention.history)
  metrics.historyStands({ strayRows: strayOnes, monthsDue: due.length })
  const depths = await queueDepths(pool)
  for (const queue of ['events', 'jobs']) {
    const waiting = depths.filter((depth) => depth.queue === queue && depth.state !== 'dead')
    metrics.queueDepth(
      queue,
      waiting.reduce((sum, depth) => sum + depth.count, 0),
    )
  }
}
