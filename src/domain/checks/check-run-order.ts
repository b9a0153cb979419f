import type { ReportedRun } from '../run-report.ts'
import { type StackStatus, stackStatuses } from '../run-status.ts'
import { type CheckRunWanted, checkRunName, progressOf } from './check-run.ts'

/**
 * With more stacks than this, their check runs are written only once they are settled. A code host accepts 500 writes an hour,
 * and a run of 600 stacks, each shown waiting, planning and planned, would take four hours.
 */
export const interimUpTo = 50

const aggregates = new Set(['resolve', 'plan', 'apply'].map((check) => checkRunName(check)))

/** Whether a check run covers the whole run, judged by its name: a branch protection can require these. */
export const isAggregate = (name: string): boolean => aggregates.has(name)

const weights = { failure: 0, action_required: 0, cancelled: 1, neutral: 1, success: 2 } as const

/** Whether a stack's check run is written now, in a run of so many stacks. */
export const isShown = ({ status }: CheckRunWanted, stacks: number): boolean =>
  status === 'completed' || stacks <= interimUpTo

/**
 * Statuses of stacks in the order in which their check runs are written: first what somebody must look at. If the budget of writes runs out on
 * the way, what matters has been written. Stacks that are under way come after all of these.
 */
export const statusesByWeight: readonly (readonly StackStatus[])[] = [0, 1, 2].map((weight) =>
  stackStatuses.filter((status) => {
    const { conclusion } = progressOf(status)
    return conclusion !== undefined && weights[conclusion] === weight
  }),
)

/** Ends a check run whose stack is missing from a later upload of the graph: nothing else would end it. */
export const droppedCheckRun = (run: ReportedRun, name: string): CheckRunWanted => ({
  name,
  headSha: run.sha,
  externalId: run.id,
  detailsUrl: run.html_url,
  status: 'completed',
  conclusion: 'neutral',
  title: 'Not part of this run any more',
  summary: 'The graph was uploaded again for this commit, and the run does not have this stack or check any more.',
})
