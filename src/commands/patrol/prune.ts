import { setTimeout as wait } from 'node:timers/promises'
import { thinDriftRuns } from '#db/drift/thin-drift-runs.ts'
import {
  type DriftPlace,
  type Pruned,
  pruneCommentCommands,
  pruneContentWrites,
  pruneDriftChecks,
  pruneJobs,
  prunePlanTexts,
  pruneSessions,
  pruneSetupStates,
  pruneUsedTokens,
} from '#db/expired-rows.ts'
import type { Pool } from '#db/sql.ts'
import type { Deps } from '../deps.ts'

/** How long data that is not needed forever is kept; milliseconds (docs/interface.md, 'Limits'). */
export type Retention = { planText: number; events: number; drift: number; history?: number | undefined }

export type PruneDeps = Pick<Deps, 'pool' | 'clock' | 'log'> & { retention: Retention; signal: AbortSignal }

const minute = 60_000
const day = 24 * 60 * minute

/** Rows per batch: some 10 ms of work. A plan text of 256 KB lies in up to 130 pieces, each of which is removed. */
const rows = 1000
const texts = 200

/**
 * Removes what is no longer kept, in batches that each hold their few rows for some milliseconds. Between batches it rests as
 * long as the last one took, so it uses half a connection at most: 200,000 finished jobs went in 6 s, while claims took 4.8
 * ms at the median instead of 3.9, and no longer at the 99th percentile (a busy machine of two cores). One batch of each is always
 * removed, so a slow machine gets on too. True if something may be left after `mostMs`.
 */
export const prune = async (deps: PruneDeps, mostMs: number): Promise<boolean> => {
  const { log, signal } = deps
  const began = performance.now()
  const removed: Record<string, number> = {}
  let left = stepsOf(deps)
  do {
    const more: Step[] = []
    // a batch of each in turn: a table with much to remove does not hold up the others
    for (const step of left) {
      signal.throwIfAborted()
      const start = performance.now()
      const batch = await step.batch()
      if (batch.removed > 0) removed[step.what] = (removed[step.what] ?? 0) + batch.removed
      if (batch.more) more.push(step)
      await wait(performance.now() - start, undefined, { signal })
    }
    left = more
  } while (left.length > 0 && performance.now() - began < mostMs)
  if (Object.keys(removed).length > 0) log.info({ removed }, 'removed what is no longer kept')
  return left.length > 0
}

type Step = { what: string; batch: () => Promise<Pruned> }

const stepsOf = ({ pool, clock, log, retention }: PruneDeps): Step[] => {
  const now = +clock.now()
  // no date before 1970, however long the retention
  const before = (age: number): Date => new Date(Math.max(0, now - age))
  const step = (
    what: string,
    remove: (db: Pool, before: Date, limit: number) => Promise<Pruned>,
    age: number,
    limit = rows,
  ): Step => ({ what, batch: () => remove(pool, before(age), limit) })
  return [
    { what: 'events and jobs', batch: queueBatches({ pool, log }, before(retention.events)) },
    { what: 'drift checks', batch: driftBatches(pool, before(retention.drift)) },
    { what: 'rows of checks that found no drift', batch: thinBatches(pool, before(day)) },
    step('plan texts', prunePlanTexts, retention.planText, texts),
    // old enough by the clocks of all instances
    step('runner tokens', pruneUsedTokens, 10 * minute),
    step('sessions', pruneSessions, 0),
    step('set-ups', pruneSetupStates, 0),
    step('counts of writes', pruneContentWrites, 2 * 60 * minute),
    // a comment must not be carried out again while its delivery may come again, or be tried again after it died
    step('comment commands', pruneCommentCommands, retention.events + 30 * day),
  ]
}

/** Dead rows are kept as long, from their death on; a dead row that no one dealt with is worth a warning. */
const queueBatches = ({ pool, log }: Pick<PruneDeps, 'pool' | 'log'>, before: Date): Step['batch'] => {
  let after = 0
  return async () => {
    const { last, dead, ...pruned } = await pruneJobs(pool, { after, before, limit: rows })
    after = last
    if (dead > 0) log.warn({ dead }, 'removed events and jobs that were given up and never tried again')
    return pruned
  }
}

/** Runs, which may have thousands of stacks. */
const thinned = 20

const thinBatches = (pool: Pool, before: Date): Step['batch'] => {
  let after: string | undefined
  return async () => {
    const { last, ...pruned } = await thinDriftRuns(pool, { after, before, limit: thinned })
    after = last
    return pruned
  }
}

const driftBatches = (pool: Pool, before: Date): Step['batch'] => {
  let after: DriftPlace | undefined
  return async () => {
    const { last, ...pruned } = await pruneDriftChecks(pool, { after, before, limit: rows })
    after = last
    return pruned
  }
}
