import { createTask, type ScheduledTask } from 'node-cron'
import { addJobs } from '#db/queue/jobs.ts'
import { seekLeadership } from '#db/queue/leadership.ts'
import { noteTick, ticksSoFar } from '#db/queue/scheduled-ticks.ts'
import type { Pool } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { Log } from '#log.ts'
import type { Metrics } from '#metrics.ts'
import { ahead, dueTicks, entries, type ScheduleEntry } from './schedule.ts'

export type SchedulerDeps = {
  databaseUrl: string
  pool: Pool
  log: Log
  metrics: Pick<Metrics, 'schedulerLeader'>
  /** Called when jobs were queued. */
  wake: () => void
  everyMs?: number
}

/**
 * Queues the scheduled jobs, on the leading instance only: each minute, and when it begins to lead. A tick does no work
 * itself: the queue retries jobs, and shares them among the instances.
 */
export const startScheduler = (deps: SchedulerDeps): { stop(): Promise<void> } => {
  const { databaseUrl, log, metrics } = deps
  let leading = false
  let looking: Promise<void> | undefined
  const look = (): void => {
    if (!leading) return
    looking ??= queueDue(deps, entries)
      .catch((error) => log.warn({ err: error }, 'scheduled jobs could not be queued: they will be in a minute'))
      .finally(() => {
        looking = undefined
      })
  }
  const minute = eachMinute(log, look)
  metrics.schedulerLeader(false)
  const onChange = (leads: boolean): void => {
    leading = leads
    metrics.schedulerLeader(leads)
    log.info(
      { leads },
      leads ? 'this instance runs the scheduled jobs' : 'this instance runs the scheduled jobs no more',
    )
    void (leads ? minute.start() : minute.stop())
    look()
  }
  const pace = deps.everyMs === undefined ? {} : { everyMs: deps.everyMs }
  const leadership = seekLeadership({ url: databaseUrl, log, onChange, ...pace })
  return {
    stop: async () => {
      await leadership.stop()
      await minute.destroy()
      await looking
    },
  }
}

/**
 * Queues the jobs of all entries that are due and not queued yet. A tick is noted in the transaction that queues its job: it
 * is neither lost nor done twice, even if two instances believe for a moment that they lead.
 */
export const queueDue = async (
  { pool, log, wake }: Pick<SchedulerDeps, 'pool' | 'log' | 'wake'>,
  entries: readonly ScheduleEntry[],
): Promise<void> => {
  const { now, ticks } = await ticksSoFar(pool)
  for (const { entry, at, isNew } of dueTicks(entries, ticks, now)) {
    const queued = await transact(pool, async (tx) => {
      if (!(await noteTick(tx, entry.name, at, ahead(now))) || isNew) return false
      await addJobs(tx, [entry.job])
      return true
    })
    if (!queued) continue
    log.debug({ entry: entry.name, at }, 'a scheduled job was queued')
    wake()
  }
}

/**
 * One clock for all entries, which are compared with the noted ticks: an instance that was busy in that second, or could not
 * reach the database, makes up for it a minute later.
 */
const eachMinute = (log: Log, tick: () => void): ScheduledTask => {
  const logger = {
    info: () => {},
    debug: () => {},
    warn: (text: string) => log.debug(text),
    error: (text: string | Error) => log.warn(String(text)),
  }
  return createTask('* * * * *', tick, { timezone: 'UTC', logger, suppressMissedWarning: true, unref: true })
}
