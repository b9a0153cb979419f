import type { NewJob } from '#db/jobs.ts'
import { lastTick } from '#domain/last-tick.ts'
import { scheduleDriftJob } from './handlers/drift.ts'
import { pruneJob } from './handlers/prune.ts'
import { reconcileJob } from './handlers/reconcile.ts'
import { staleLocksJob } from './handlers/stale-locks.ts'
import { syncJob } from './request-sync.ts'

/** Something done by the clock (UTC): the job that a tick queues. A job that waits still is not doubled: it has a key. */
export type ScheduleEntry = { name: string; cron: string; job: () => NewJob }

/** Everything that is done by the clock. */
export const entries: readonly ScheduleEntry[] = [
  { name: 'reconcile runs', cron: '* * * * *', job: () => reconcileJob('runs') },
  { name: 'check for drift', cron: '* * * * *', job: () => scheduleDriftJob() },
  { name: 'redeliver failed deliveries', cron: '*/10 * * * *', job: () => reconcileJob('deliveries') },
  // between those, so that the two do not ask for their lists in the same minute
  { name: 'reconcile pull requests', cron: '5-59/10 * * * *', job: () => reconcileJob('pull_requests') },
  // after the comparisons, which tell locks of what they missed
  { name: 'look after stale locks', cron: '27 * * * *', job: () => staleLocksJob() },
  { name: 'prune', cron: '47 * * * *', job: () => pruneJob() },
  { name: 'synchronise installations', cron: '0 4 * * *', job: () => syncJob(null) },
  // of more than three tags pushed at once no webhook tells
  { name: 'read tags of modules', cron: '30 4 * * *', job: () => reconcileJob('tags') },
]

/** An instance's clock may be so far ahead of the database's: its minute is the database's next. */
const earlyMs = 5_000

/** No tick lies so far ahead: one that does was noted by a clock that has been put back. */
export const ahead = (now: Date): Date => new Date(+now + 60 * 60 * 1000)

/** `isNew`: was never noted before, so that there is nothing to make up for: it begins with its next tick. */
export type DueTick<E> = { entry: E; at: Date; isNew: boolean }

/**
 * Which entries have a tick that was not noted yet, at the database's `now`: the tick of this minute, or one that nobody
 * was there for. Of several that an entry missed the last alone is made up for.
 */
export const dueTicks = <E extends { name: string; cron: string }>(
  entries: readonly E[],
  ticks: ReadonlyMap<string, Date>,
  now: Date,
): DueTick<E>[] =>
  entries.flatMap((entry) => {
    const at = lastTick(entry.cron, new Date(+now + earlyMs))
    const last = ticks.get(entry.name)
    if (at === undefined || (last !== undefined && last >= at && last <= ahead(now))) return []
    return [{ entry, at, isNew: last === undefined }]
  })
