import { findArchived } from '#db/history/archived-runs.ts'
import { findRunView, type RunView } from '#db/views/runs/run-view.ts'
import type { RunReport } from '#domain/run-report.ts'
import type { HandlerDeps } from '../handler.ts'
import { reportOfRun } from './report-of-run.ts'
import { shownStacks } from './shown-stacks.ts'

export type ShownRun = { run: RunView; report: RunReport }

/** The run, if it is shown at the code host: of one that is archived, what was shown stays as it is. */
export const runToShow = async ({ pool }: Pick<HandlerDeps, 'pool'>, runId: string): Promise<RunView | undefined> => {
  const run = await findRunView(pool, runId)
  return run && !(await findArchived(pool, runId)) ? run : undefined
}

/** A run with all of its stacks, as the code host is to show it now. */
export const shownRun = async (
  deps: HandlerDeps,
  runId: string,
  noteOf: (run: RunView) => Promise<string | undefined>,
): Promise<ShownRun | undefined> => {
  const run = await runToShow(deps, runId)
  if (!run) return undefined
  const shown = reportOfRun(deps.baseUrl, run, await shownStacks(deps.pool, runId))
  const note = await noteOf(run)
  return { run, report: note === undefined ? shown : { ...shown, run: { ...shown.run, note } } }
}
