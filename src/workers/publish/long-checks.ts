import { findCheck } from '#db/runs/checks.ts'
import { type CheckRunWanted, checkRunName } from '#domain/checks/check-run.ts'
import { stackCheckRun, verdictCheckRun } from '#domain/checks/stack-check-runs.ts'
import { closed, type ReportedRun, type ReportedStack, type RunReport } from '#domain/run-report.ts'
import type { HandlerDeps } from '../handler.ts'
import type { LongCheck } from './publish-checks.ts'
import type { ReadWhole } from './whole-plans.ts'

type ReadDeps = Pick<HandlerDeps, 'pool'>

/**
 * The check runs of a report with long texts, by their names: whole plans, and the details of verdicts. Each is read for itself
 * when it is sent: 5,000 stacks with details of 64 KB would be 320 MB.
 */
export const longChecks = (
  deps: ReadDeps,
  report: RunReport,
  read: ReadWhole,
): ((check: CheckRunWanted) => LongCheck | undefined) => {
  const { run, stacks } = closed(report)
  const long = new Map(stacks.flatMap((stack) => [...longPlan(run, stack, read), ...longDetails(deps, run, stack)]))
  return ({ name }) => long.get(name)
}

type Named = [name: string, check: LongCheck]

const longPlan = (run: ReportedRun, stack: ReportedStack, read: ReadWhole): Named[] => {
  if (!stack.plan_more) return []
  const whole = async (): Promise<CheckRunWanted | undefined> => {
    const shown = await read(stack)
    return shown && stackCheckRun(run, shown)
  }
  return [[checkRunName(run.mode, stack.key), { hash: stack.plan_more.hash, whole }]]
}

const longDetails = ({ pool }: ReadDeps, run: ReportedRun, stack: ReportedStack): Named[] =>
  stack.checks.flatMap((check): Named[] => {
    if (check.details_of === undefined) return []
    const whole = async (): Promise<CheckRunWanted | undefined> => {
      const row = await findCheck(pool, run.id, stack.stack_id, check.name)
      return row?.details ? verdictCheckRun(run, stack, { ...check, details: row.details }) : undefined
    }
    return [[checkRunName(check.name, stack.key), { hash: check.details_of, whole }]]
  })
