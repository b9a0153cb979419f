import { z } from 'zod'
import { jobsAdded, type NewJob } from '#db/queue/jobs.ts'
import { sql, type Tx } from '../sql.ts'
import { journalled, type NewJournalRow } from './journal.ts'
import { type ResultRow, resultsPut } from './results.ts'
import { runsCounted } from './run-counts.ts'
import { type RunStackChange, runStacksChanged } from './run-stacks.ts'
import { type RunChange, runsChanged } from './runs.ts'

export type Transitions = {
  runs: RunChange[]
  stacks: RunStackChange[]
  journal: NewJournalRow[]
  results: ResultRow[]
  jobs: NewJob[]
}

/**
 * Stores what nearly every batch of transitions writes, in one statement. Its parts are sent and answered together; five
 * statements would hold the run's lock for four more round trips. Each part takes its rows as arrays, so the text is always
 * the same and is planned once; a part without rows costs some 20 µs.
 */
export const storeTransitions = async (
  tx: Tx,
  { runs, stacks, journal, results, jobs }: Transitions,
): Promise<void> => {
  if (runs.length + stacks.length + journal.length + results.length + jobs.length === 0) return
  await tx.query(sql.type(z.object({}))`
    with runs_changed as (${runsChanged(runs)}),
      runs_counted as (${runsCounted(runs)}),
      stacks_changed as (${runStacksChanged(stacks)}),
      journalled as (${journalled(journal)}),
      results_put as (${resultsPut(results)}),
      jobs_added as (${jobsAdded(jobs)})
    select`)
}
