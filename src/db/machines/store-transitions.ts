import { z } from 'zod'
import { jobsAdded, type NewJob } from '#db/queue/jobs.ts'
import { portionsOf } from '#portions.ts'
import { sql } from '../sql.ts'
import type { TenantTx } from '../tenant.ts'
import { journalled, type NewJournalRow } from './journal.ts'
import { type ResultRow, resultsPut } from './results.ts'
import { runsCounted } from './run-counts.ts'
import { type RunStackChange, runStacksChanged } from './run-stacks.ts'
import { type RunChange, runsChanged } from './runs.ts'
import { type StandingChange, standingsChanged } from './stack-standings.ts'

export type Transitions = {
  runs: RunChange[]
  stacks: RunStackChange[]
  standings: StandingChange[]
  journal: NewJournalRow[]
  results: ResultRow[]
  jobs: NewJob[]
}

/**
 * Stores what nearly every batch of transitions writes, in one statement (in several where thousands of stacks become different). Its parts
 * are sent and answered together; five statements would hold the run's lock for four more round trips. Each part takes its rows
 * as arrays, so the text is always the same and is planned once; a part without rows costs some 20 µs. Returns in
 * how many milliseconds the first job that it queued is due, null if it queued none.
 */
export const storeTransitions = async (
  tx: TenantTx,
  { runs, stacks, standings, journal, results, jobs }: Transitions,
): Promise<number | null> => {
  if (runs.length + stacks.length + journal.length + results.length + jobs.length === 0) return null
  // nearly always there is one portion of each; the last goes with the rest
  const [parts, entries] = [[...portionsOf(stacks)], [...portionsOf(journal)]]
  const [lastPart = [], lastEntries = []] = [parts.pop(), entries.pop()]
  for (const part of parts) await storePart(tx, { ...nothing, stacks: part })
  for (const part of entries) await storePart(tx, { ...nothing, journal: part })
  return storePart(tx, { runs, stacks: lastPart, standings, journal: lastEntries, results, jobs })
}

const nothing: Transitions = { runs: [], stacks: [], standings: [], journal: [], results: [], jobs: [] }

const InMsRow = z.object({ in_ms: z.number().nullable() })

const storePart = async (tx: TenantTx, transitions: Transitions): Promise<number | null> => {
  const { runs, stacks, standings, journal, results, jobs } = transitions
  const { in_ms } = await tx.one(sql.type(InMsRow)`
    with runs_changed as (${runsChanged(runs, tx)}),
      runs_counted as (${runsCounted(runs, tx)}),
      stacks_changed as (${runStacksChanged(stacks, tx)}),
      ${standingsChanged(standings, tx)},
      journalled as (${journalled(journal, tx)}),
      results_put as (${resultsPut(results, tx)}),
      jobs_added as (${jobsAdded(tx, jobs)})
    select (extract(epoch from min(run_at) - now()) * 1000)::float8 as in_ms from jobs_added`)
  return in_ms
}
