import type { Pool } from '#db/sql.ts'
import type { RunDetail } from '#db/views/runs/run-detail-view.ts'
import { type StandingRow, standingRows, type TroubledStack, troubledStacks } from '#db/views/runs/run-standing-view.ts'
import { nextOf } from '#domain/comments/next-step.ts'
import type { StackStatus } from '#domain/run-status.ts'
import { type Attention, attentionOf } from '#domain/texts/attention.ts'

export type RunStanding = {
  rows: readonly StandingRow[]
  attention: Attention[]
  next: string
}

/** Stacks that are told one by one; the rest is a number, since the answer is asked for each second. */
const stacksTold = 20

/** How a run stands as a whole, without reading its rows one by one: counts and sums, what needs somebody, what comes next. */
export const standingOfRun = async (pool: Pool, run: RunDetail): Promise<RunStanding> => {
  const rows = await standingRows(pool, run.id)
  const troubled = await troubledStacks(pool, { runId: run.id, prNumber: run.pr_number, limit: stacksTold })
  const failure = run.failure ?? undefined
  const standing = {
    run: { mode: run.mode, status: run.status, failure },
    has: (status: StackStatus) => rows.some((row) => row.status === status),
    checkFailed: troubled.some((stack) => stack.check_failed),
    locked: troubled.some((stack) => stack.locked),
  }
  const stacks = troubled.map((stack) => attentionStack(run, stack))
  const moreStacks = (troubled[0]?.all_stacks ?? 0) - troubled.length
  return {
    rows,
    attention: attentionOf({ run: { mode: run.mode, failure, warnings: run.warnings }, stacks, moreStacks }),
    next: nextOf(standing, run.apply_mode ?? undefined),
  }
}

const attentionStack = (run: RunDetail, stack: TroubledStack) => {
  const { key, status, exit_code, blocks, failed_checks, lock_run_id, lock_pr_number } = stack
  // whoever holds the lock stands in the way of nothing but the apply of the newest plan
  const waits = run.mode === 'plan' && run.is_newest && run.status !== 'superseded' && lock_run_id !== null
  return {
    key,
    status,
    exit_code: exit_code ?? undefined,
    blocks,
    failedChecks: failed_checks.map(({ name, summary }) => ({ name, summary: summary ?? undefined })),
    locked_by: waits ? { run_id: lock_run_id, pr_number: lock_pr_number ?? undefined } : undefined,
  }
}
