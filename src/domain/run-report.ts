import type { Summary } from './plan-summary.ts'
import { isOpen, type RunMode, type RunStatus, type RunTrigger, type StackStatus } from './run-status.ts'

/*
 * The facts about one run from which check runs and the comment are written. Fields are named as in the API (docs/interface.md,
 * 'Run', 'RunStack'); stack keys and texts are as their authors wrote them, and are escaped where they are shown.
 */

export type ReportedCheck = {
  name: string
  status: 'pass' | 'fail' | 'warn'
  summary?: string | undefined
  details?: string | undefined
  /** If the verdict has details that were not read: when it was posted. */
  details_of?: string | undefined
  details_url?: string | undefined
  /** Who let an apply past a failed verdict. */
  waived_by?: string | undefined
}

export type ReportedStack = {
  stack_id: string
  key: string
  path: string
  /** 0-based, as the index into the waves of the resolution. */
  wave: number
  status: StackStatus
  reasons: readonly string[]
  /** Keys of the stacks and modules that caused it. */
  via?: readonly string[] | undefined
  environment?: string | undefined
  summary?: Summary | undefined
  exit_code?: number | undefined
  job_url?: string | undefined
  plan_text?: string | undefined
  /** If plan_text is only the beginning: the run whose row has it, and the size and hash of the whole. */
  plan_more?: { run_id: string; bytes: number; hash: string } | undefined
  plan_output?: 'full' | 'summary' | undefined
  truncated?: boolean | undefined
  error_text?: string | undefined
  checks: readonly ReportedCheck[]
  blocked_by?: readonly string[] | undefined
  /** Page of the run that reported this about the stack, if it is not this report's run. */
  run_url?: string | undefined
  /** Another pull request's or run's lock on the stack, as it is now. */
  locked_by?: { run_id: string; pr_number?: number | undefined } | undefined
}

export type ReportedRun = {
  id: string
  mode: RunMode
  trigger: RunTrigger
  status: RunStatus
  sha: string
  pr_number?: number | undefined
  waves: number
  /** 0-based. */
  current_wave: number
  html_url: string
  warnings: readonly { code: string; message: string }[]
  /** Why the run failed before any stack ran, with each cycle spelled `a → b → a`. */
  failure?: { reason: string; cycles?: readonly string[] | undefined } | undefined
  /** A sentence beside what it came to: of windows that are shut. */
  note?: string | undefined
  created_at?: Date | undefined
  finished_at?: Date | undefined
}

export type RunReport = { run: ReportedRun; stacks: readonly ReportedStack[] }

/** Whether the run has ended: then nothing shown of it may look unfinished. */
export const hasEnded = (run: Pick<ReportedRun, 'status'>): boolean => !isOpen(run.status)

export const isSettled = (stack: ReportedStack): boolean => !isOpen(stack.status)

/** Whether the stacks and waves of the run are known. */
export const isResolved = ({ run, stacks }: RunReport): boolean =>
  run.status !== 'pending' && run.failure === undefined && (run.status !== 'superseded' || stacks.length > 0)

/**
 * The report with nothing left open after the run's end: a row that was cut off (its graph was replaced, its run failed before
 * it began) is shown as skipped or superseded, so its check run does not stay pending forever.
 */
export const closed = (report: RunReport): RunReport => {
  if (!hasEnded(report.run)) return report
  const status = report.run.status === 'superseded' ? 'superseded' : 'skipped'
  return { ...report, stacks: report.stacks.map((stack) => (isSettled(stack) ? stack : { ...stack, status })) }
}

export const inOrder = <Stack extends Pick<ReportedStack, 'wave' | 'key'>>(stacks: readonly Stack[]): Stack[] =>
  [...stacks].sort((one, other) => one.wave - other.wave || (one.key < other.key ? -1 : 1))

/** What the check runs of a run's stacks say of the run; once it has ended, also how (see `closed`). */
export type RunOfStacks = Pick<ReportedRun, 'id' | 'mode' | 'sha' | 'waves' | 'html_url'>

/** The run's page with one stack selected. */
export const stackUrl = (run: Pick<ReportedRun, 'html_url'>, stack: ReportedStack): string =>
  `${stack.run_url ?? run.html_url}?stack=${encodeURIComponent(stack.key.toWellFormed())}`

export const shortSha = (sha: string): string => sha.slice(0, 7)
