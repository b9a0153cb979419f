import { hasEnded, type ReportedStack, type RunReport } from './run-report.ts'

/** How applies start by the default branch's configuration (`apply.mode`); unknown while nothing has said so. */
export type ApplyMode = 'comment' | 'on_merge' | 'off'

/** The one sentence that says what a person does now. */
export const nextStep = (report: RunReport, apply: ApplyMode | undefined): string => {
  if (report.run.mode === 'plan') return nextOfPlan(report, apply)
  if (report.run.mode === 'apply') return nextOfApply(report)
  if (!hasEnded(report.run)) return 'The stacks are being compared with what is there.'
  return report.stacks.some((stack) => stack.status === 'planned')
    ? 'What is there differs from the code: apply the code, or change the code to what is there.'
    : 'Nothing is to be done.'
}

const nextOfPlan = ({ run, stacks }: RunReport, apply: ApplyMode | undefined): string => {
  switch (run.status) {
    case 'pending':
      return 'Nothing to do yet: a job of this pull request uploads the graph of the repository.'
    case 'failed':
      return run.failure === undefined
        ? 'Mend what failed and push, or re-run all jobs: re-running only the failed ones cannot report.'
        : 'Mend it and push, or re-run all jobs: a new run begins by itself.'
    case 'unconfirmed':
      return 'Re-run all jobs: some stacks were planned while the service could not be reached.'
    case 'superseded':
      return 'Nothing to do here: the run of the newer commit takes its place.'
    case 'planned':
      return stacks.some((stack) => stack.status === 'planned')
        ? whenPlanned(stacks, apply)
        : 'Nothing is to be applied.'
    default:
      return 'Nothing to do yet: plans appear here as their jobs report.'
  }
}

const whenPlanned = (stacks: readonly ReportedStack[], apply: ApplyMode | undefined): string => {
  if (stacks.some(({ checks }) => checks.some((check) => check.status === 'fail'))) {
    return 'Mend what the failed checks name and push: they refuse an apply.'
  }
  if (stacks.some((stack) => stack.locked_by !== undefined)) {
    return 'Read the plans; an apply has to wait until the locks of others are released.'
  }
  if (apply === 'comment') return 'Read the plans; comment `svc apply` to apply them.'
  if (apply === 'on_merge') return 'Read the plans; merging this pull request applies them.'
  if (apply === 'off') return 'Read the plans; applies of this repository are started outside pull requests.'
  return 'Read the plans.'
}

const nextOfApply = ({ run, stacks }: RunReport): string => {
  if (run.status === 'applied') return 'Everything is applied: merge, so that the default branch says what is there.'
  if (!hasEnded(run)) return 'Nothing to do yet: a wave starts when the one before it has been applied.'
  if (run.status === 'superseded') return 'A newer commit came while this one was applied: its plan shows what is left.'
  if (stacks.some((stack) => stack.status === 'unknown')) {
    return 'A job ended without a report: see in its log whether the state is locked still, before anything else.'
  }
  return 'Mend what failed, then plan again. The locks of this pull request stay held until then.'
}
