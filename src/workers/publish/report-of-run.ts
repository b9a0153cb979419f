import { runUrl } from '#commands/shapes/shape-run.ts'
import type { RunStackView } from '#db/views/runs/run-stack-view.ts'
import type { RunView } from '#db/views/runs/run-view.ts'
import type { KeptResult } from '#domain/result.ts'
import type { ReportedStack, RunReport } from '#domain/run-report.ts'
import { planBeginning } from '#domain/texts/plan-beginning.ts'

/** The facts of a run that check runs and comment are written from. */
export const reportOfRun = (baseUrl: string, run: RunView, stacks: readonly RunStackView[]): RunReport => ({
  run: {
    id: run.id,
    mode: run.mode,
    trigger: run.trigger,
    status: run.status,
    sha: run.sha,
    pr_number: run.pr_number ?? undefined,
    waves: run.waves,
    current_wave: run.current_wave,
    html_url: runUrl(baseUrl, run),
    warnings: run.warnings,
    failure: run.failure ?? undefined,
    created_at: run.created_at,
    finished_at: run.finished_at ?? undefined,
  },
  stacks: stacks.map((stack) => reportedStack(run, stack)),
})

/** For a stack without a report so far. */
const nothing: Partial<KeptResult> = {}

const reportedStack = (run: RunView, stack: RunStackView): ReportedStack => {
  const { summary, exit_code, job_url, truncated, error_text } = stack.result ?? nothing
  return {
    stack_id: stack.stack_id,
    key: stack.key,
    path: stack.path,
    wave: stack.wave,
    status: stack.status,
    reasons: stack.reasons,
    via: stack.via,
    environment: stack.environment ?? undefined,
    ...planOf(stack),
    plan_output: stack.plan_output,
    summary,
    exit_code,
    job_url,
    truncated,
    error_text,
    checks: stack.checks.map(({ name, status, summary, details_url, has_details, updated_at, waived_by }) => ({
      name,
      status,
      summary: summary ?? undefined,
      details_url: details_url ?? undefined,
      details_of: has_details ? updated_at : undefined,
      waived_by: waived_by ?? undefined,
    })),
    blocked_by: stack.blocked_by,
    locked_by: lockOfOthers(run, stack),
  }
}

/**
 * Only the beginning of a long plan, wherever the whole is: a run of many stacks takes little memory, and reads the same
 * before and after its texts go to the bucket.
 */
const planOf = ({
  run_id,
  plan_text,
  plan_bytes,
  plan_hash,
}: RunStackView): Pick<ReportedStack, 'plan_text' | 'plan_more'> => {
  if (plan_text === null) return {}
  const beginning = planBeginning(plan_text)
  const bytes = plan_bytes ?? 0
  if (bytes <= Buffer.byteLength(beginning)) return { plan_text }
  return { plan_text: beginning, plan_more: { run_id, bytes, hash: plan_hash ?? '' } }
}

/** A lock is another's if neither this run nor its pull request holds it. */
const lockOfOthers = (run: RunView, stack: RunStackView): ReportedStack['locked_by'] => {
  if (stack.lock_run_id === null || stack.lock_run_id === run.id) return undefined
  if (stack.lock_pr_number !== null && stack.lock_pr_number === run.pr_number) return undefined
  return { run_id: stack.lock_run_id, pr_number: stack.lock_pr_number ?? undefined }
}
