import { findArchived } from '#db/history/archived-runs.ts'
import { reportedStackViewsOf } from '#db/views/runs/run-stack-view.ts'
import { findRunView, type RunView } from '#db/views/runs/run-view.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { byWeight, droppedCheckRun } from '#domain/checks/check-run-order.ts'
import { wantedCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import type { RunReport } from '#domain/run-report.ts'
import { createBreath } from '#portions.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'
import { longChecks } from './long-checks.ts'
import { type Checks, openChecks } from './publish-checks.ts'
import { reportOfRun } from './report-of-run.ts'
import { type ReadWhole, readsWhole } from './whole-plans.ts'

/** What a run shows at the code host, as it is now, and how it is written there. */
export type ChecksOfRun = {
  run: RunView
  report: RunReport
  read: ReadWhole
  /** Those that stand for the whole run, and those of its stacks in the order in which they matter. */
  ofRun: CheckRunWanted[]
  ofStacks: CheckRunWanted[]
  checks: Checks
}

/** Undefined if there is no such run, or it is archived: what was shown of it stays as it is. */
export const checksOfRun = async (
  deps: HandlerDeps & Stopping,
  runId: string,
  noteOf: (run: RunView) => Promise<string | undefined> = async () => undefined,
): Promise<ChecksOfRun | undefined> => {
  const run = await findRunView(deps.pool, runId)
  if (!run || (await findArchived(deps.pool, runId))) return undefined
  const shown = reportOfRun(deps.baseUrl, run, await reportedStackViewsOf(deps.pool, runId))
  const note = await noteOf(run)
  const report = note === undefined ? shown : { ...shown, run: { ...shown.run, note } }
  const wanted: CheckRunWanted[] = []
  const breath = createBreath()
  for (const one of wantedCheckRuns(report)) {
    wanted.push(one)
    await breath()
  }
  const { ofRun, ofStacks } = byWeight(wanted, report.stacks.length)
  const read = readsWhole(deps)
  const checks = await openChecks(deps, run, longChecks(deps, report, read))
  const names = new Set(wanted.map(({ name }) => name))
  const dropped = checks.made.filter((name) => !names.has(name)).map((name) => droppedCheckRun(report.run, name))
  return { run, report, read, ofRun, ofStacks: [...ofStacks, ...dropped], checks }
}
