import { lastTick } from '#domain/config/cron.ts'
import { nobody } from '#jobs/definition.ts'
import { type Job, makeJob } from '#jobs/job.ts'

/** Something done on a schedule (UTC): the job that a tick queues. A job that still waits is not doubled: it has a key. */
export type ScheduleEntry = { name: string; cron: string; job: Job }

const byClock = { cause: null }

/** Everything done on a schedule. */
export const entries: readonly ScheduleEntry[] = [
  { name: 'reconcile runs', cron: '* * * * *', job: makeJob('reconcile', { what: 'runs' }, byClock) },
  { name: 'check for drift', cron: '* * * * *', job: makeJob('schedule_drift', {}, { ...byClock, ...nobody }) },
  {
    name: 'redeliver failed deliveries',
    cron: '*/10 * * * *',
    job: makeJob('reconcile', { what: 'deliveries' }, byClock),
  },
  // between the redeliveries: the two should not request their lists in the same minute
  {
    name: 'reconcile pull requests',
    cron: '5-59/10 * * * *',
    job: makeJob('reconcile', { what: 'pull_requests' }, byClock),
  },
  // after the comparisons, which tell locks what they missed
  { name: 'look after stale locks', cron: '27 * * * *', job: makeJob('stale_locks', {}, byClock) },
  { name: 'prune', cron: '47 * * * *', job: makeJob('prune', {}, byClock) },
  { name: 'make months', cron: '7 * * * *', job: makeJob('make_months', {}, byClock) },
  { name: 'archive history', cron: '17 * * * *', job: makeJob('archive_history', {}, byClock) },
  { name: 'synchronise installations', cron: '0 4 * * *', job: makeJob('sync_installations', {}, byClock) },
  // if more than three tags are pushed at once, there is no webhook
  { name: 'read tags of modules', cron: '30 4 * * *', job: makeJob('reconcile', { what: 'tags' }, byClock) },
]

/** An instance's clock may be this far ahead of the database's: its current minute is then the database's next. */
const earlyMs = 5_000

/** No tick lies this far ahead: a later one was noted by a clock that has been put back. */
export const ahead = (now: Date): Date => new Date(+now + 60 * 60 * 1000)

/** `isNew`: never noted before, so nothing was missed: it begins with its next tick. */
export type DueTick<E> = { entry: E; at: Date; isNew: boolean }

/**
 * The entries with a tick not noted yet, at the database's `now`: the tick of this minute, or a missed one. If an entry missed
 * several ticks, only the last is made up for.
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
