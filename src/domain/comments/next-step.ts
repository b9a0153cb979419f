import { hasEnded, type ReportedRun, type RunReport } from '../run-report.ts'
import type { StackStatus } from '../run-status.ts'

/** How applies start under the default branch's configuration (`apply.mode`); undefined if it is not known yet. */
export type ApplyMode = 'comment' | 'on_merge' | 'off'

/** The facts of a run that decide what a person does next. */
export type Standing = {
  run: Pick<ReportedRun, 'mode' | 'status' | 'failure'>
  has: (status: StackStatus) => boolean
  /** A check of a stack failed. */
  checkFailed: boolean
  /** Another pull request or run holds the lock of a stack. */
  locked: boolean
}

const standingOf = ({ run, stacks }: RunReport): Standing => ({
  run,
  has: (status) => stacks.some((stack) => stack.status === status),
  checkFailed: stacks.some(({ checks }) => checks.some((check) => check.status === 'fail')),
  locked: stacks.some((stack) => stack.locked_by !== undefined),
})

/** The one sentence that says what a person does now. */
export const nextStep = (report: RunReport, apply: ApplyMode | undefined): string => nextOf(standingOf(report), apply)

/** The same from the facts alone, for a page that does not read every stack. */
export const nextOf = (standing: Standing, apply: ApplyMode | undefined): string => {
  const { run, has } = standing
  if (run.mode === 'plan') return nextOfPlan(standing, apply)
  if (run.mode === 'apply') return nextOfApply(standing)
  if (!hasEnded(run)) return 'The stacks are being compared with what is there.'
  return has('planned')
    ? 'What is there differs from the code: apply the code, or change the code to what is there.'
    : 'There is nothing to do.'
}

const nextOfPlan = (standing: Standing, apply: ApplyMode | undefined): string => {
  const { run, has } = standing
  switch (run.status) {
    case 'pending':
      return 'Nothing to do yet: a job of this pull request uploads the graph of the repository.'
    case 'failed':
      return run.failure === undefined
        ? 'Fix what failed and push, or re-run all jobs: jobs cannot report if only the failed ones are re-run.'
        : 'Fix it and push, or re-run all jobs: a new run begins by itself.'
    case 'unconfirmed':
      return 'Re-run all jobs: some stacks were planned while the service could not be reached.'
    case 'superseded':
      return 'Nothing to do here: the run of the newer commit replaces it.'
    case 'planned':
      return has('planned') ? whenPlanned(standing, apply) : 'There is nothing to apply.'
    default:
      return 'Nothing to do yet: plans appear here as their jobs report.'
  }
}

const whenPlanned = ({ checkFailed, locked }: Standing, apply: ApplyMode | undefined): string => {
  if (checkFailed) return 'Fix what the failed checks name and push: they refuse an apply.'
  if (locked) return 'Read the plans; an apply has to wait until others release their locks.'
  if (apply === 'comment') return 'Read the plans; comment `svc apply` to apply them.'
  if (apply === 'on_merge') return 'Read the plans; merging this pull request applies them.'
  if (apply === 'off') return 'Read the plans; applies of this repository are started outside pull requests.'
  return 'Read the plans.'
}

const drains = 'no further wave starts, and the run ends once what runs has ended'

const whileApplying = (has: Standing['has']): string => {
  if (has('unknown')) {
    return `A job ended without a report: see in its log whether the state is still locked; ${drains}.`
  }
  if (has('failed')) return `Fix what failed, then plan again: ${drains}.`
  return 'Nothing to do yet: a wave starts when the one before it has been applied.'
}

const nextOfApply = ({ run, has }: Standing): string => {
  if (run.status === 'applied') return 'Everything is applied: merge to bring the default branch in line.'
  if (!hasEnded(run)) return whileApplying(has)
  if (run.status === 'superseded') return 'A newer commit came while this one was applied: its plan shows what is left.'
  if (has('unknown')) {
    return 'A job ended without a report: before anything else, see in its log whether the state is still locked.'
  }
  return 'Fix what failed, then plan again. The locks of this pull request stay held until then.'
}
