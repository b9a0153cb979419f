import { createTask, type ScheduledTask } from 'node-cron'
import { addJobs, type NewJob } from '#db/jobs.ts'
import { seekLeadership } from '#db/leadership.ts'
import type { Pool } from '#db/sql.ts'
import type { Log } from '#log.ts'
import type { Metrics } from '#metrics.ts'
import { reconcileJob } from './handlers/reconcile.ts'
import { syncJob } from './request-sync.ts'

/** Something done by the clock (UTC): the job that a tick queues. A job that waits still is not doubled: it has a key. */
export type ScheduleEntry = { name: string; cron: string; job: () => NewJob }

export const entries: readonly ScheduleEntry[] = [
  { name: 'reconcile runs', cron: '* * * * *', job: () => reconcileJob('runs') },
  { name: 'redeliver failed deliveries', cron: '*/10 * * * *', job: () => reconcileJob('deliveries') },
  // between those, so that the two do not ask for their lists in the same minute
  { name: 'reconcile pull requests', cron: '5-59/10 * * * *', job: () => reconcileJob('pull_requests') },
  { name: 'synchronise installations', cron: '0 4 * * *', job: () => syncJob(null) },
  // of more than three tags pushed at once no webhook tells
  { name: 'read tags of modules', cron: '30 4 * * *', job: () => reconcileJob('tags') },
]

export type SchedulerDeps = {
  databaseUrl: string
  pool: Pool
  log: Log
  metrics: Pick<Metrics, 'schedulerLeader'>
  /** There is something in the queue. */
  wake: () => void
  everyMs?: number
}

/**
 * Queues what is done by the clock, on the one instance that leads. A tick does no work itself: the queue retries, and shares
 * it among the instances. A minute in which nobody led is made up for by the next.
 */
export const startScheduler = (deps: SchedulerDeps): { stop(): Promise<void> } => {
  const { databaseUrl, log, metrics } = deps
  const tasks = entries.map((entry) => taskOf(deps, entry))
  metrics.schedulerLeader(false)
  const onChange = (leads: boolean): void => {
    metrics.schedulerLeader(leads)
    log.info(
      { leads },
      leads ? 'this instance runs the scheduled jobs' : 'this instance runs the scheduled jobs no more',
    )
    for (const task of tasks) void (leads ? task.start() : task.stop())
  }
  const pace = deps.everyMs === undefined ? {} : { everyMs: deps.everyMs }
  const leadership = seekLeadership({ url: databaseUrl, log, onChange, ...pace })
  return {
    stop: async () => {
      await leadership.stop()
      for (const task of tasks) await task.destroy()
    },
  }
}

const taskOf = ({ pool, log, wake }: SchedulerDeps, { name, cron, job }: ScheduleEntry): ScheduledTask => {
  const tick = async (): Promise<void> => {
    try {
      await addJobs(pool, [job()])
      wake()
    } catch (error) {
      log.warn({ err: error, entry: name }, 'a scheduled job could not be queued')
    }
  }
  const logger = {
    info: () => {},
    debug: () => {},
    warn: (text: string) => log.debug(text),
    error: (text: string | Error) => log.warn({ entry: name }, String(text)),
  }
  // an instance that was busy in the second of a tick has the next one: nothing is lost but a minute
  return createTask(cron, tick, { name, timezone: 'UTC', logger, suppressMissedWarning: true, unref: true })
}
