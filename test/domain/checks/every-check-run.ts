import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { runCheckRuns, stacksCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import type { RunReport } from '#domain/run-report.ts'

/** Every check run that a run should have: those that stand for all of it, and those of its stacks. */
export const everyCheckRun = (report: RunReport): CheckRunWanted[] => [
  ...runCheckRuns(report),
  ...[...stacksCheckRuns(report)].map(({ check }) => check),
]
